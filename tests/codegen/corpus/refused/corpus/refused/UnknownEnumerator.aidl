package corpus.refused;

parcelable UnknownEnumerator { enum E { A } E a = E.B; }
