/** A type without a package, in the root itself. */
parcelable NoPackage {
    int a = 1;
    corpus.imports.A b;
}
