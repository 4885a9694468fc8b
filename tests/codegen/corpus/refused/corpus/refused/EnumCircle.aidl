package corpus.refused;

enum EnumCircle { A = B, B = A }
