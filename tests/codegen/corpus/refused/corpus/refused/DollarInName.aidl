package corpus.refused;

parcelable DollarInName { int a$b; }
