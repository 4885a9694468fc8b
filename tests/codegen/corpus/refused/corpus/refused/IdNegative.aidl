package corpus.refused;

interface IdNegative { void f() = -1; }
