package corpus.differences;

/** Uses a file that uses what is inside this one. */
parcelable NestedThroughFile {
    enum Kind { ONE }
    Kind kind = Kind.ONE;
    @nullable corpus.used.IOther other;
}
