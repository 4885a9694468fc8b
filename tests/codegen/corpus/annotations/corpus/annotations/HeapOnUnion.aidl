package corpus.annotations;

parcelable HeapOnUnion {
    @nullable(heap=true) Inner a;
    @nullable(heap=true) U b;
    parcelable Inner { int x; }
    union U { int x; @nullable(heap=true) Inner y; }
}
