package corpus.used;

/** Names two of its parameters alike. */
parcelable Faulty<T, T> { int a; }
