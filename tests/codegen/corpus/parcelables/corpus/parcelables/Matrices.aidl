package corpus.parcelables;

parcelable Matrices {
    byte[3][5] bytes;
    int[2][3] ints;
    long[1][1] one;
    boolean[2][2] flags;
    char[2][2] letters;
    String[2][2] words;
    double[2][3][4] cube;
    @nullable float[2][2] maybe;
    int[2][2][2][2] deep;
}
