package corpus.positions;

/** LongEnum as what a union can be. */
union LongEnumMembers {
    corpus.positions.Big plain = corpus.positions.Big.ONE;
    corpus.positions.Big[] many;
    @nullable corpus.positions.Big[] maybe_many;
    corpus.positions.Big[2] two;
}
