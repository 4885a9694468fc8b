package corpus.refused

parcelable NoPackageEnd { int a; }
