package corpus.refused;

parcelable LongAsSize { int[3L] a; }
