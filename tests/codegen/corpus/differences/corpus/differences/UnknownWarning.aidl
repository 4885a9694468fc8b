package corpus.differences;

@SuppressWarnings({"no-such-warning"})
parcelable UnknownWarning { int a; }
