package corpus.space;
parcelable NoFinalNewline { int a; }