package corpus.names;

parcelable Any { int a; List<Any> b; }
