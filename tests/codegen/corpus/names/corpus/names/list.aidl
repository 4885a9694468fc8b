package corpus.names;

parcelable list { int[] a; List<list> b; }
