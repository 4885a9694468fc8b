package corpus.positions;

/** Int in every position that a field has. */
parcelable IntFields {
    int plain;
    int valued = 1 << 4;
    int[] many;
    int[] listed = {1 << 4, -1};
    @nullable int[] maybe_many;
    int[3] three;
    @nullable int[2] maybe_two;
    int[2][3] grid;
}
