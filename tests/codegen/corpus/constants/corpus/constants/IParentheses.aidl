package corpus.constants;

interface IParentheses {
    const int A = (1);
    const int B = ((((2))));
    const int C = (1 + 2) * (3 + 4);
    const int D = -(5);
    const int E = ~(0);
    const int F = !(1 == 2);
    const int G = (1 << (2 + 1)) | (1 << 0);
    const String S = ("a" + "b");
}
