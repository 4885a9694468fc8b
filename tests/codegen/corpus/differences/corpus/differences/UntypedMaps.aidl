package corpus.differences;

interface UntypedMaps { void f(in Map a); }
