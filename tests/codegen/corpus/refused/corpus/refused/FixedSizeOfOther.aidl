package corpus.refused;

@FixedSize parcelable FixedSizeOfOther { parcelable P { int x; } P p; }
