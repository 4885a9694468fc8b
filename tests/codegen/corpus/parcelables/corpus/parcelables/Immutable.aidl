package corpus.parcelables;

@JavaOnlyImmutable
parcelable Immutable {
    int a = 3;
    String b;
    int[] c;
    List<String> d;
    @nullable String e;
}
