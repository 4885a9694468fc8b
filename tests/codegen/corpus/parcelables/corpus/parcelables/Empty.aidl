package corpus.parcelables;

parcelable Empty {
}
