package corpus.refused;

parcelable GenericUnknown { List<Unknown> a; }
