package corpus.arrays;

/** Sizes that nobody writes one by one. */
parcelable Huge {
    parcelable Point { int x; int y; }
    enum Kind { NONE }
    long[1000] numbers;
    String[17] names;
    Point[20] points;
    Point[3][20] rows;
    Kind[40] kinds;
    byte[1 << 20] bytes;
    @nullable int[2147483647] never;
    boolean[100] flags;
}
