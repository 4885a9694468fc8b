package corpus.positions;

/** Int as what a union can be. */
union IntMembers {
    int plain = -1;
    int[] many;
    @nullable int[] maybe_many;
    int[2] two;
}
