package corpus.parcelables;

/** Holds more of itself, where there may also be none. */
parcelable Tree {
    String label;
    Tree[] children;
    List<Tree> more;
    @nullable(heap=true) Tree parent;
}
