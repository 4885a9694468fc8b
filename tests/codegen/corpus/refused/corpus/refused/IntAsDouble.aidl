package corpus.refused;

parcelable IntAsDouble { double a = 2; }
