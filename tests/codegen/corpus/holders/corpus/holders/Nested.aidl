package corpus.holders;

parcelable Nested {
    parcelable Inner { ParcelableHolder ext; int x; }
    Inner a;
    Inner[] b;
    @nullable Inner c;
    List<Inner> d;
}
