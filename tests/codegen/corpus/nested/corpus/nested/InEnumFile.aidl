package corpus.nested;

/** Types beside each other inside one that has nothing else. */
parcelable InEnumFile {
    enum A { X }
    enum B { X, Y }
    enum C { X, Y, Z }
}
