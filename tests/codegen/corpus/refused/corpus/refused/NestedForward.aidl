package corpus.refused;

parcelable NestedForward { parcelable P; }
