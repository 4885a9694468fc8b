package corpus.refused;

parcelable ArrayAsScalar { int a = {1}; }
