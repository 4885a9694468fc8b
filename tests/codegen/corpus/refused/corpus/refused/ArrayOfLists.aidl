package corpus.refused;

parcelable ArrayOfLists { List<String>[] a; }
