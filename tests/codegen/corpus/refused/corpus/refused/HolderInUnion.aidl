package corpus.refused;

union HolderInUnion { int a; ParcelableHolder b; }
