package corpus.refused;

parcelable ScalarAsArray { int[] a = 1; }
