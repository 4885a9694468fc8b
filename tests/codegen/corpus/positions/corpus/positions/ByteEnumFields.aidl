package corpus.positions;

/** ByteEnum in every position that a field has. */
parcelable ByteEnumFields {
    corpus.positions.Small plain;
    corpus.positions.Small valued = corpus.positions.Small.TWO;
    corpus.positions.Small[] many;
    corpus.positions.Small[] listed = {corpus.positions.Small.TWO, corpus.positions.Small.ONE};
    @nullable corpus.positions.Small[] maybe_many;
    corpus.positions.Small[3] three;
    @nullable corpus.positions.Small[2] maybe_two;
    corpus.positions.Small[2][3] grid;
}
