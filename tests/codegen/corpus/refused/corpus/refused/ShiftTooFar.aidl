package corpus.refused;

interface ShiftTooFar { const int A = 1 << 32; }
