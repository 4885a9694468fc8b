package corpus.refused;

parcelable PackageMateNotImported { UnknownType a; }
