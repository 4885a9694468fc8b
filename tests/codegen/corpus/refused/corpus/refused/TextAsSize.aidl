package corpus.refused;

parcelable TextAsSize { int["2"] a; }
