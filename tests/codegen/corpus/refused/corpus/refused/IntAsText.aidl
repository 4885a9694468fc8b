package corpus.refused;

parcelable IntAsText { String a = 1; }
