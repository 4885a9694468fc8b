package corpus.differences;

parcelable ByteOrderMark { int a; }
