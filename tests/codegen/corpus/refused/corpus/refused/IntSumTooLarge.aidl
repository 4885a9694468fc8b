package corpus.refused;

interface IntSumTooLarge { const long A = 2147483647 + 1; }
