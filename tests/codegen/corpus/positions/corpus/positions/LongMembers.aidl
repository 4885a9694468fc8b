package corpus.positions;

/** Long as what a union can be. */
union LongMembers {
    long plain = -5;
    long[] many;
    @nullable long[] maybe_many;
    long[2] two;
}
