package corpus.names;

/** A type that is called like a value of Python. */
parcelable None { int a; @nullable(heap=true) None next; }
