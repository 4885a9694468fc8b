package corpus.refused;

parcelable MapToInt { Map<String, int> a; }
