package corpus.annotations;

/** @hide */
interface IHidden {
    /** @hide */
    void a();
    /** Not for everyone. @hide */
    const int K = 1;
}
