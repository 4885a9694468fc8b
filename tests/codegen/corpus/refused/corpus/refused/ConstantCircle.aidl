package corpus.refused;

interface ConstantCircle { const int A = B; const int B = A; }
