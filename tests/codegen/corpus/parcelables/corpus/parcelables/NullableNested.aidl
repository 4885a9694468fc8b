package corpus.parcelables;

parcelable NullableNested {
    parcelable A { @nullable B b; }
    parcelable B { @nullable C c; }
    parcelable C { @nullable String s; }
    @nullable A a;
    @nullable A[] as_;
    @nullable A[3] three;
}
