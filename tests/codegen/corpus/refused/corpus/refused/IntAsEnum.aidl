package corpus.refused;

parcelable IntAsEnum { enum E { A } E a = 0; }
