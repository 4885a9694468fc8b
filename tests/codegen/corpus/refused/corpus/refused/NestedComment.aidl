package corpus.refused;

/* a /* b */ c */
parcelable NestedComment { int a; }
