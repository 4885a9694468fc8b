package corpus.nested;

parcelable SiblingLists {
    parcelable A { List<B> bs; int x; }
    parcelable B { C[] cs; int y; }
    parcelable C { int z; }
    A a;
}
