package corpus.refused;

parcelable HalfOpenMatrix { int[2][] a; }
