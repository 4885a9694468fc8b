package corpus.differences;

enum EnumeratorTwice { A, A }
