package corpus.refused;

interface ExtraSemicolon { void f();; }
