package corpus.refused;

interface JavaWordAsParameter { void f(int final); }
