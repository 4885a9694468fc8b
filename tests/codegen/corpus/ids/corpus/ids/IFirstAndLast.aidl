package corpus.ids;

/** The smallest and the largest id there can be. */
interface IFirstAndLast {
    void first() = 0;
    void last() = 16777114;
}
