package corpus.refused;

parcelable NestedLikeOuter { parcelable NestedLikeOuter { int x; } }
