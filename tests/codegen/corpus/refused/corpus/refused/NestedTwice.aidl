package corpus.refused;

parcelable NestedTwice { enum E { A } parcelable E { int x; } }
