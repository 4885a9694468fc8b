package corpus.comments;

/** Größe, 大きさ, Размер, 😀, and a \u0041. */
parcelable Unicode {
    // é
    int a; // ü
    /* 漢字 */ String b;
}
