package corpus.refused;

parcelable NullableEnum { enum E { A } @nullable E a; }
