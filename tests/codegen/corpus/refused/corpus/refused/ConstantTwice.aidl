package corpus.refused;

interface ConstantTwice { const int A = 1; const int A = 2; }
