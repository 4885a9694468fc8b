package corpus.refused;

parcelable NullableInt { @nullable int a; }
