package corpus.unions;

/** The first member starts as zero. */
union NoDefault { int number; String text; }
