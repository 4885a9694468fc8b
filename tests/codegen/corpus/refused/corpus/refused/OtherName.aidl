package corpus.refused;

parcelable Othername { int a; }
