package corpus.refused;

parcelable ShortType { short a; }
