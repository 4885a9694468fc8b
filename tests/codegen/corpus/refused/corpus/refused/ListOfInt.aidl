package corpus.refused;

parcelable ListOfInt { List<int> a; }
