package corpus.arrays;

parcelable SizesComputed {
    const int N = 2;
    int[1 + 1] a;
    int[N] b;
    int[N * N][N + 1] c;
    int[1 << 3] d;
    int[SizesComputed.N] e;
    int[true] f;
    int[0x4] g;
}
