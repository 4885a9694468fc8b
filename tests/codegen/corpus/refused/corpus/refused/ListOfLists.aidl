package corpus.refused;

parcelable ListOfLists { List<List<String>> a; }
