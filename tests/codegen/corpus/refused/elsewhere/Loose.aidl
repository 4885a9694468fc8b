package corpus.refused;
parcelable Loose { int a; }
