package corpus.refused;

parcelable ListOfEnum { enum E { A } List<E> a; }
