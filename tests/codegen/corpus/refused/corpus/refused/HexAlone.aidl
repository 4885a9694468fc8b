package corpus.refused;

interface HexAlone { const int A = 0x; }
