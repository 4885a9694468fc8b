package corpus.positions;

/** Double as what a union can be. */
union DoubleMembers {
    double plain = 1e3;
    double[] many;
    @nullable double[] maybe_many;
    double[2] two;
}
