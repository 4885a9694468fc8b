package corpus.refused;

@FixedSize parcelable FixedSizeOfArray { int[] a; }
