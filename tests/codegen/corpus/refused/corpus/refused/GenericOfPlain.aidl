package corpus.refused;

parcelable GenericOfPlain { parcelable P { } P<String> a; }
