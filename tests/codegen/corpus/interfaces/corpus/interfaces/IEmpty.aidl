package corpus.interfaces;

/** Nothing can be called, but it can be passed on. */
interface IEmpty {
}
