package corpus.refused;

parcelable ListDefault { List<String> a = {"x"}; }
