package corpus.refused;

parcelable UnknownType { Strong a; }
