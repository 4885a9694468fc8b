package corpus.positions;

/** Long in every position that a field has. */
parcelable LongFields {
    long plain;
    long valued = 1L << 40;
    long[] many;
    long[] listed = {1L << 40, -5};
    @nullable long[] maybe_many;
    long[3] three;
    @nullable long[2] maybe_two;
    long[2][3] grid;
}
