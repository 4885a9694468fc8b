package corpus.positions;

/** Float in every position that a field has. */
parcelable FloatFields {
    float plain;
    float valued = 1.5f;
    float[] many;
    float[] listed = {1.5f, -.5f};
    @nullable float[] maybe_many;
    float[3] three;
    @nullable float[2] maybe_two;
    float[2][3] grid;
}
