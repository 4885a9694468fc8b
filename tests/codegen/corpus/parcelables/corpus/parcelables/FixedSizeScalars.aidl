package corpus.parcelables;

@FixedSize
parcelable FixedSizeScalars {
    boolean z;
    byte b;
    char c;
    int i;
    long l;
    float f;
    double d;
    int[4] four;
    byte[2][3] grid;
}
