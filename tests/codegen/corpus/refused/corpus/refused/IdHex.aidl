package corpus.refused;

interface IdHex { void f() = 0x1; }
