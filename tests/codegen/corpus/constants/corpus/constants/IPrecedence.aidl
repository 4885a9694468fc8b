package corpus.constants;

interface IPrecedence {
    const int A = 6 & 2 == 2;
    const int B = 1 + 2 << 3;
    const int C = 7 | 1 ^ 3 & 2;
    const int D = 5 > 3 == true;
    const int E = !0 + 5;
    const int F = -7 / 2;
    const int G = -7 % 3;
    const int H = 7 % -3;
    const int I = 1 || 0 && 0;
    const int J = 2 + 3 * 4 - 6 / 2;
    const int K = 10 - 3 - 2;
    const int L = 100 / 10 / 5;
    const int M = 1 << 2 << 3;
    const int N = ~-1;
    const int O = - - 5;
    const int P = 1 < 2 == 2 > 1;
    const int Q = 3 != 4 & 1;
    const int R = !!7;
}
