package corpus.positions;

parcelable Target { int x = 1; @nullable String y; }
