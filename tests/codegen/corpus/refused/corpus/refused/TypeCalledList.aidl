package corpus.refused;

parcelable TypeCalledList { parcelable List { int x; } }
