package corpus.parcelables;

parcelable Pong {
    @nullable(heap=true) corpus.parcelables.Ping ping;
    int count = 1;
}
