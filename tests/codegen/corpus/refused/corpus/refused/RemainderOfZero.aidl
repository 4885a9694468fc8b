package corpus.refused;

interface RemainderOfZero { const int A = 1 % (2 - 2); }
