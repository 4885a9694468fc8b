package corpus.used;

/** Uses an inner type of a file that uses this one. */
interface IOther {
    void f(corpus.differences.NestedThroughFile.Kind kind);
}
