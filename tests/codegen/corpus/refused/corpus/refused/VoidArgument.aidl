package corpus.refused;

interface VoidArgument { void f(in void a); }
