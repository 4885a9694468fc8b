package corpus.generics;

parcelable Pair<A, B> {
    int a;
    int b;
}
