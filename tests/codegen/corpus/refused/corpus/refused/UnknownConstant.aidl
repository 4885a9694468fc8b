package corpus.refused;

parcelable UnknownConstant { int a = K; }
