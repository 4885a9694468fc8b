package corpus.refused;

interface WrongSuffix { const int A = 1u16; }
