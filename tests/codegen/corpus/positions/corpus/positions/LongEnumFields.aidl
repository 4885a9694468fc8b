package corpus.positions;

/** LongEnum in every position that a field has. */
parcelable LongEnumFields {
    corpus.positions.Big plain;
    corpus.positions.Big valued = corpus.positions.Big.TWO;
    corpus.positions.Big[] many;
    corpus.positions.Big[] listed = {corpus.positions.Big.TWO, corpus.positions.Big.ONE};
    @nullable corpus.positions.Big[] maybe_many;
    corpus.positions.Big[3] three;
    @nullable corpus.positions.Big[2] maybe_two;
    corpus.positions.Big[2][3] grid;
}
