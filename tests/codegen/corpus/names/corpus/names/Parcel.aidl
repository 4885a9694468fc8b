package corpus.names;

/** Called like the runtime's own class. */
parcelable Parcel { int a = 1; corpus.names.True b; }
