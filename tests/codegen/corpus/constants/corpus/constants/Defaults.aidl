package corpus.constants;

parcelable Defaults {
    boolean z = true;
    boolean z2 = 1 == 2;
    byte b = -1;
    byte b2 = 0x7f;
    char c = 'z';
    char c2 = ' ';
    char c3 = '"';
    int i = -5;
    int i2 = 0x80000000;
    long l = 1L << 33;
    long l2 = 5;
    float f = 1.5f;
    float f2 = -0.25f;
    double d = -2.25;
    double d2 = .5;
    double d3 = 1.5f;
    String s = "hi";
    String s2 = "";
    String s3 = "a" + "b";
}
