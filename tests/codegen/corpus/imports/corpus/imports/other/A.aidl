package corpus.imports.other;

/** Of the same name as one in the package above. */
parcelable A {
    corpus.imports.A far;
    int near = 1;
}
