package corpus.refused;

interface IdMissing { void f() = 1; void g(); }
