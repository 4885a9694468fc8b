package corpus.refused;

interface HexTooLong { const long A = 0xffffffffffffffffff; }
