package corpus.constants;

interface IShifts {
    const int A = 1 << 31;
    const int B = 1 << 0;
    const int C = 256 >> 4;
    const long D = 1L << 62;
    const int E = 1 << -0;
    const long F = 0x100000000 >> 16;
    const int G = 8 >> -1;
    const int H = 16 << -2;
}
