package corpus.collections;

parcelable Item { int id; String name; }
