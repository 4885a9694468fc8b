package corpus.differences;

/** Two inner types that hold each other in lists. */
parcelable NestedInCircle {
    parcelable A { List<B> bs; int x; }
    parcelable B { A[] as_; int y; }
    A a;
}
