package corpus.positions;

/** Parcelable as what a union can be. */
union ParcelableMembers {
    corpus.positions.Target plain;
    corpus.positions.Target[] many;
    @nullable corpus.positions.Target[] maybe_many;
    corpus.positions.Target[2] two;
    @nullable corpus.positions.Target maybe;
    List<corpus.positions.Target> list;
}
