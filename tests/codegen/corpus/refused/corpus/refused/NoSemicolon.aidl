package corpus.refused;

parcelable NoSemicolon { int a }
