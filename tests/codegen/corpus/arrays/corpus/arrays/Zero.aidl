package corpus.arrays;

/** No elements at all, but still a count. */
parcelable Zero { int[0] a; byte[0] b; int c; String[0] d; int[0][3] e; int[3][0] f; }
