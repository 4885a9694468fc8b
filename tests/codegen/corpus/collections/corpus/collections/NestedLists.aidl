package corpus.collections;

parcelable NestedLists {
    Map<String, List<String>> a;
    Map<String, List<corpus.collections.Item>> b;
    @nullable Map<String, List<IBinder>> c;
}
