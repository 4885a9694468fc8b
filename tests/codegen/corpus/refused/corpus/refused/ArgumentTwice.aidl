package corpus.refused;

interface ArgumentTwice { void f(int a, int a); }
