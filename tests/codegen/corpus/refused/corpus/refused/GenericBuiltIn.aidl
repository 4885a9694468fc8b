package corpus.refused;

parcelable GenericBuiltIn { String<String> a; }
