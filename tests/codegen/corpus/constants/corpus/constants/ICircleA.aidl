package corpus.constants;

/** The files name each other; the constants do not go in a circle. */
interface ICircleA {
    const int A = corpus.constants.ICircleB.B + 1;
    const int C = 1;
}
