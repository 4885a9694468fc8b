package corpus.refused;

parcelable NullableMapKey { Map<@nullable String, String> a; }
