package corpus.refused;

parcelable AccentInName { int é; }
