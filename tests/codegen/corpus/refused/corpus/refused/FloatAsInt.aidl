package corpus.refused;

parcelable FloatAsInt { int a = 1.0; }
