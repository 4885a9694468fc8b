package corpus.positions;

/** Union in every position that a field has. */
parcelable UnionFields {
    corpus.positions.Choice plain;
    @nullable corpus.positions.Choice maybe;
    corpus.positions.Choice[] many;
    @nullable corpus.positions.Choice[] maybe_many;
    corpus.positions.Choice[3] three;
    @nullable corpus.positions.Choice[2] maybe_two;
    corpus.positions.Choice[2][3] grid;
    List<corpus.positions.Choice> list;
    @nullable List<corpus.positions.Choice> maybe_list;
    Map<String, corpus.positions.Choice> map;
}
