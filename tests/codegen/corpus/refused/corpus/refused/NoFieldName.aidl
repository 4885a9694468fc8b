package corpus.refused;

parcelable NoFieldName { int; }
