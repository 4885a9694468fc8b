package corpus.refused;

interface InoutInterface { void f(inout InoutInterface a); }
