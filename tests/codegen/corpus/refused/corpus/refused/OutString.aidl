package corpus.refused;

interface OutString { void f(out String a); }
