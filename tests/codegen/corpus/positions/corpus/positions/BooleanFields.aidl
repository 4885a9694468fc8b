package corpus.positions;

/** Boolean in every position that a field has. */
parcelable BooleanFields {
    boolean plain;
    boolean valued = true;
    boolean[] many;
    boolean[] listed = {true, false};
    @nullable boolean[] maybe_many;
    boolean[3] three;
    @nullable boolean[2] maybe_two;
    boolean[2][3] grid;
}
