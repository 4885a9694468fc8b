package corpus.names;

/** Names that differ only once one of them is renamed. */
parcelable Lookalikes { int from; int from_; int from__; int None; int None_; int l; int I; int O; }
