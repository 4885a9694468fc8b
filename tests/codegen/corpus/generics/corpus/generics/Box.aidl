package corpus.generics;

/** What T is, no byte knows: it is for those who read. */
parcelable Box<T> {
    int a = 1;
    String b;
}
