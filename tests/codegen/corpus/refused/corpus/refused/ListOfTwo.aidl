package corpus.refused;

parcelable ListOfTwo { List<String, String> a; }
