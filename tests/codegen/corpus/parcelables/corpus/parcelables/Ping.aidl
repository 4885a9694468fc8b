package corpus.parcelables;

parcelable Ping {
    @nullable(heap=true) corpus.parcelables.Pong pong;
}
