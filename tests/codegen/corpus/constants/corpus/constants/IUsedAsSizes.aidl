package corpus.constants;

interface IUsedAsSizes {
    const int N = 3;
    int[N] f(in String[N - 1] a, out byte[N * N] b, inout long[corpus.constants.InParcelable.SIZE] c);
    int[N][N + 1] g();
}
