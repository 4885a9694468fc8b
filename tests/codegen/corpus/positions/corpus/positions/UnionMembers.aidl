package corpus.positions;

/** Union as what a union can be. */
union UnionMembers {
    corpus.positions.Choice plain;
    corpus.positions.Choice[] many;
    @nullable corpus.positions.Choice[] maybe_many;
    corpus.positions.Choice[2] two;
    @nullable corpus.positions.Choice maybe;
    List<corpus.positions.Choice> list;
}
