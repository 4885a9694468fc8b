package corpus.names;

parcelable cpp_header { int a; }
