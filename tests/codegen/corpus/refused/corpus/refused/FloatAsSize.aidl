package corpus.refused;

parcelable FloatAsSize { int[2.0] a; }
