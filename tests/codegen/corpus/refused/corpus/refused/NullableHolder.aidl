package corpus.refused;

parcelable NullableHolder { @nullable ParcelableHolder a; }
