package corpus.refused;

interface IdTooLarge { void f() = 16777115; }
