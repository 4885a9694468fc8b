package corpus;

parcelable Pair<K, V> {
    int a;
}
