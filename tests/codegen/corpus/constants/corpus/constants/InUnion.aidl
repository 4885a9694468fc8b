package corpus.constants;

union InUnion {
    const int DEFAULT = 9;
    const byte B = -5;
    int a = DEFAULT;
    String b;
}
