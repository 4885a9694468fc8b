package corpus.refused;

parcelable OpenMatrix { int[][] a; }
