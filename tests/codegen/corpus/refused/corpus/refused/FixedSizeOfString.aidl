package corpus.refused;

@FixedSize parcelable FixedSizeOfString { String a; }
