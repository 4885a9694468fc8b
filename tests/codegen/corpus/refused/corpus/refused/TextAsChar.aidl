package corpus.refused;

parcelable TextAsChar { char a = "x"; }
