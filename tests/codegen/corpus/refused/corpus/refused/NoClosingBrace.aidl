package corpus.refused;

parcelable NoClosingBrace { int a;
