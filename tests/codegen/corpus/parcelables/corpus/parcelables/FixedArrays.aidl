package corpus.parcelables;

parcelable FixedArrays {
    boolean[3] z;
    byte[3] b;
    char[3] c;
    int[3] i;
    long[3] l;
    float[3] f;
    double[3] d;
    String[3] s;
    byte[5] odd;
    int[1] one;
}
