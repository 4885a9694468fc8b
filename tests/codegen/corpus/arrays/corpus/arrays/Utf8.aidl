package corpus.arrays;

parcelable Utf8 { @utf8InCpp String[] a; @utf8InCpp String[2] b; @nullable @utf8InCpp String[2][2] c; }
