package corpus.refused;

parcelable UnknownNested { enum E { A } UnknownNested.F f; }
