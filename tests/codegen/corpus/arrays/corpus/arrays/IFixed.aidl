package corpus.arrays;

interface IFixed {
    int[1] a(in int[1] x, out int[1] y, inout int[1] z);
    byte[2][3] b(in byte[2][3] x, out byte[2][3] y, inout byte[2][3] z);
    String[2] c(in String[2] x, out String[2] y, inout String[2] z);
    boolean[2][2][2] d(in boolean[2][2][2] x);
    @nullable long[4] e(in @nullable long[4] x, inout @nullable long[4] y);
    char[3] f(out char[3] x);
    double[2] g(inout double[2] x);
}
