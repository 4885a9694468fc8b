package corpus.refused;

parcelable DoubleAsFloat { float a = 1.5; }
