package corpus.constants;

interface ILogic {
    const int A = true && false;
    const int B = true || false;
    const int C = 5 && 3;
    const int D = !true;
    const int E = 1 == 1 && 2 == 2;
    const int F = 3 >= 3;
    const int G = 3 <= 2;
    const int H = 1L == 1;
    const int I = true == 1;
}
