package corpus.constants;

/** A float keeps fewer digits than are written; a double keeps them, with an f behind them or not. */
parcelable Rounded {
    const float A = 16777217f;
    const double B = 16777217f;
    float a = 0.1f;
    double b = 0.1f;
    float c = 1001.525f;
    float[] d = {1e10f, 3.3f};
    double[] e = {1e10f, 3.3f};
}
