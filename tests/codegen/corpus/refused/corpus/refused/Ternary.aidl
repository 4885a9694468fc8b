package corpus.refused;

interface Ternary { const int A = true ? 1 : 2; }
