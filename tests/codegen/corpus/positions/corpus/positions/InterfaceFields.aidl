package corpus.positions;

/** Interface in every position that a field has. */
parcelable InterfaceFields {
    corpus.positions.ITarget plain;
    @nullable corpus.positions.ITarget maybe;
    corpus.positions.ITarget[] many;
    @nullable corpus.positions.ITarget[] maybe_many;
    corpus.positions.ITarget[3] three;
    @nullable corpus.positions.ITarget[2] maybe_two;
    corpus.positions.ITarget[2][3] grid;
    List<corpus.positions.ITarget> list;
    @nullable List<corpus.positions.ITarget> maybe_list;
    Map<String, corpus.positions.ITarget> map;
}
