package corpus.imports;

parcelable Bag { enum Kind { ONE = 1, TWO } }
