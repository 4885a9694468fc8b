package corpus.refused;

parcelable ArrayOfMaps { Map<String, String>[] a; }
