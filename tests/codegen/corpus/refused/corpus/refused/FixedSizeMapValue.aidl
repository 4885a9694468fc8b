package corpus.refused;

parcelable FixedSizeMapValue { Map<String, @FixedSize String> a; }
