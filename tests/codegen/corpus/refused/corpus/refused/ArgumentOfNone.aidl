package corpus.refused;

@FixedSize(true) parcelable ArgumentOfNone { int a; }
