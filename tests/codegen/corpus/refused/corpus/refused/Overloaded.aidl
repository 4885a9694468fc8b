package corpus.refused;

interface Overloaded { void f(int a); void f(String a); }
