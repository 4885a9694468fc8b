parcelable NoPackage {
  int a;
  corpus.Plain b;
}
