package corpus.refused;

interface DivisionByZero { const int A = 1 / 0; }
