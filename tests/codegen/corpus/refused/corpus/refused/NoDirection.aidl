package corpus.refused;

interface NoDirection { void f(int[] a); }
