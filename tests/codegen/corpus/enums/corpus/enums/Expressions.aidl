package corpus.enums;

@Backing(type="int")
enum Expressions {
    A = 1 << 4,
    B = A | 1,
    C = ~B,
    D = (A + B) * 2,
    E = A == 16,
    F = A > B && B > 0,
    G = 100 % 7,
    H = 100 / -7,
    I = -100 / 7,
    J = 0x10 ^ 0x01,
    K = !0,
}
