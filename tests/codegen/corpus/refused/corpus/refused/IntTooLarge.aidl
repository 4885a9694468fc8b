package corpus.refused;

interface IntTooLarge { const int A = 2147483648; }
