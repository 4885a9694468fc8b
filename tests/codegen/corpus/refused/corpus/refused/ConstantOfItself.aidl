package corpus.refused;

interface ConstantOfItself { const int A = A + 1; }
