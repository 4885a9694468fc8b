package corpus.refused;

parcelable Utf8OfInt { @utf8InCpp int a; }
