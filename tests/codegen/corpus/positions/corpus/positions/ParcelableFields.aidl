package corpus.positions;

/** Parcelable in every position that a field has. */
parcelable ParcelableFields {
    corpus.positions.Target plain;
    @nullable corpus.positions.Target maybe;
    corpus.positions.Target[] many;
    @nullable corpus.positions.Target[] maybe_many;
    corpus.positions.Target[3] three;
    @nullable corpus.positions.Target[2] maybe_two;
    corpus.positions.Target[2][3] grid;
    List<corpus.positions.Target> list;
    @nullable List<corpus.positions.Target> maybe_list;
    Map<String, corpus.positions.Target> map;
}
