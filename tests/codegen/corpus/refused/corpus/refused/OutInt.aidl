package corpus.refused;

interface OutInt { void f(out int a); }
