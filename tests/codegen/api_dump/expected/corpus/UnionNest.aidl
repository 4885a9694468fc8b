package corpus;
union UnionNest {
  corpus.UnionNest.In a;
  int b;
  const int K = 1;
  parcelable In {
    int x;
  }
  enum Which {
    A,
  }
}
