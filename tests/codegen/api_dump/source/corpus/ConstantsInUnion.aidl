package corpus;

union ConstantsInUnion {
    const int K = 3;
    int a = K;
    int b;
}
