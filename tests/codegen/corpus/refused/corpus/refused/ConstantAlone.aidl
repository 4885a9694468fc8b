package corpus.refused;
const int A = 1;
