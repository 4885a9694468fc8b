package corpus.parcelables;

parcelable LinkedList {
    int value;
    @nullable(heap=true) LinkedList next;
}
