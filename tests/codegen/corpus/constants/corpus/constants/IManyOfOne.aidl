package corpus.constants;

interface IManyOfOne {
    const int BIT_0 = 1 << 0;
    const int BIT_1 = 1 << 1;
    const int BIT_2 = 1 << 2;
    const int BIT_31 = 1 << 31;
    const int MASK = BIT_0 | BIT_1 | BIT_2;
    const int NOT = ~MASK;
    const int NONE = MASK & ~MASK;
    const int XOR = MASK ^ BIT_1;
}
