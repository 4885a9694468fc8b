package corpus.positions;

/** Double in every position that a field has. */
parcelable DoubleFields {
    double plain;
    double valued = 1.5;
    double[] many;
    double[] listed = {1.5, 1e3};
    @nullable double[] maybe_many;
    double[3] three;
    @nullable double[2] maybe_two;
    double[2][3] grid;
}
