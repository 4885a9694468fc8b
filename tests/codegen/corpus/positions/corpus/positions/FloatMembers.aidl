package corpus.positions;

/** Float as what a union can be. */
union FloatMembers {
    float plain = -.5f;
    float[] many;
    @nullable float[] maybe_many;
    float[2] two;
}
