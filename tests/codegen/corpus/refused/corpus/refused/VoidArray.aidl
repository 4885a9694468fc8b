package corpus.refused;

interface VoidArray { void[] f(); }
