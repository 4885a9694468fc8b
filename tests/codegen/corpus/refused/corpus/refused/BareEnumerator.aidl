package corpus.refused;

parcelable BareEnumerator { enum E { A } E a = A; }
