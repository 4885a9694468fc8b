package corpus.refused;

parcelable OpenText { String a = "x; }
