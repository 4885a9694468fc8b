package corpus.refused;

interface TrailingArgumentComma { void f(int a,); }
