package corpus.refused;

parcelable Escape { String a = "a\n"; }
