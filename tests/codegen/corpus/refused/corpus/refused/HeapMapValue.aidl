package corpus.refused;

parcelable HeapMapValue { Map<String, @nullable(heap=true) String> a; }
