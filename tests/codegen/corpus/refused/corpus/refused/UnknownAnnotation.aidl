package corpus.refused;

@Unknown parcelable UnknownAnnotation { int a; }
