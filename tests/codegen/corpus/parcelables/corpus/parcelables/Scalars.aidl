package corpus.parcelables;

parcelable Scalars {
    boolean z;
    byte b;
    char c;
    int i;
    long l;
    float f;
    double d;
    String s;
}
