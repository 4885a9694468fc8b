package corpus.comments;

/** @deprecated all of it */
parcelable DeprecatedParts {
    /** @deprecated use b */
    int a;
    int b;
    /** @deprecated */
    const int K = 1;
    /** Old. @deprecated gone soon */
    enum E {
        /** @deprecated */
        A,
        B,
    }
}
