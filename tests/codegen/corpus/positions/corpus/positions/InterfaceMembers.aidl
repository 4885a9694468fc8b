package corpus.positions;

/** Interface as what a union can be. */
union InterfaceMembers {
    corpus.positions.ITarget plain;
    corpus.positions.ITarget[] many;
    @nullable corpus.positions.ITarget[] maybe_many;
    corpus.positions.ITarget[2] two;
    @nullable corpus.positions.ITarget maybe;
    List<corpus.positions.ITarget> list;
}
