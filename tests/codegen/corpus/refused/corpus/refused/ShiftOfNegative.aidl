package corpus.refused;

interface ShiftOfNegative { const int A = -8 >> 1; }
