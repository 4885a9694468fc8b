package corpus.refused;

interface Octal8 { const int A = 0o17; }
