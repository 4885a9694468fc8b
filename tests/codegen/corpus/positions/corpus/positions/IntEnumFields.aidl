package corpus.positions;

/** IntEnum in every position that a field has. */
parcelable IntEnumFields {
    corpus.positions.Middle plain;
    corpus.positions.Middle valued = corpus.positions.Middle.TWO;
    corpus.positions.Middle[] many;
    corpus.positions.Middle[] listed = {corpus.positions.Middle.TWO, corpus.positions.Middle.ONE};
    @nullable corpus.positions.Middle[] maybe_many;
    corpus.positions.Middle[3] three;
    @nullable corpus.positions.Middle[2] maybe_two;
    corpus.positions.Middle[2][3] grid;
}
