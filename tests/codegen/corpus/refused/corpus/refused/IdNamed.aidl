package corpus.refused;

interface IdNamed { const int K = 1; void f() = K; }
