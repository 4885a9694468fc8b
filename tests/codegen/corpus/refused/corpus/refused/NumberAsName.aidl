package corpus.refused;

parcelable NumberAsName { int 1a; }
