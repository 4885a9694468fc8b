package corpus.refused;

parcelable ParcelableDefault { parcelable P { int x; } P a = {1}; }
