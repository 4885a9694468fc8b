package corpus.refused;

parcelable UnknownSize { int[N] a; }
