package corpus.space;

/**
 * Its lines end as in DOS.
 */
parcelable DosLines {
    int a; // one
    /* two
       lines */ String b = "x";

    const int K = 1 +
        2;
}
