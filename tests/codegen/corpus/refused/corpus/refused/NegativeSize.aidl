package corpus.refused;

parcelable NegativeSize { int[-1] a; }
