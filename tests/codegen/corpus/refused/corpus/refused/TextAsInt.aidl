package corpus.refused;

parcelable TextAsInt { int a = "1"; }
