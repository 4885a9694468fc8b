package corpus.refused;

parcelable DashInName { int a-b; }
