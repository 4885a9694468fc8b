package corpus.refused;

interface NoArgumentName { void f(int); }
