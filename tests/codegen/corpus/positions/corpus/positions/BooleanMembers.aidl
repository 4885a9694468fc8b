package corpus.positions;

/** Boolean as what a union can be. */
union BooleanMembers {
    boolean plain = false;
    boolean[] many;
    @nullable boolean[] maybe_many;
    boolean[2] two;
}
