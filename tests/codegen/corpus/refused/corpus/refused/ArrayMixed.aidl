package corpus.refused;

parcelable ArrayMixed { int[] a = {1, "2"}; }
