package corpus.positions;

/** IntEnum as what a union can be. */
union IntEnumMembers {
    corpus.positions.Middle plain = corpus.positions.Middle.ONE;
    corpus.positions.Middle[] many;
    @nullable corpus.positions.Middle[] maybe_many;
    corpus.positions.Middle[2] two;
}
