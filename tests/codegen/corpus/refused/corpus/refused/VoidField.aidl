package corpus.refused;

parcelable VoidField { void a; }
