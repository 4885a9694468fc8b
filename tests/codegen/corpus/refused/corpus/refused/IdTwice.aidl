package corpus.refused;

interface IdTwice { void f() = 1; void g() = 1; }
