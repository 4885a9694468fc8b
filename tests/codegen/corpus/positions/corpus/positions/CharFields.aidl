package corpus.positions;

/** Char in every position that a field has. */
parcelable CharFields {
    char plain;
    char valued = 'a';
    char[] many;
    @nullable char[] maybe_many;
    char[3] three;
    @nullable char[2] maybe_two;
    char[2][3] grid;
}
