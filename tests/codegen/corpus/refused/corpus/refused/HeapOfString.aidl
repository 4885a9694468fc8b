package corpus.refused;

parcelable HeapOfString { @nullable(heap=true) String a; }
