package corpus.refused;

parcelable GenericTwice<T, T> { int a; }
