package corpus.refused;

parcelable MethodInParcelable { int f(); }
