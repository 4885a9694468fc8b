package corpus.positions;

/** ByteEnum as what a union can be. */
union ByteEnumMembers {
    corpus.positions.Small plain = corpus.positions.Small.ONE;
    corpus.positions.Small[] many;
    @nullable corpus.positions.Small[] maybe_many;
    corpus.positions.Small[2] two;
}
