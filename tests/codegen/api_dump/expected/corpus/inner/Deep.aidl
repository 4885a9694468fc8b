package corpus.inner;
parcelable Deep {
  int a;
  const int SIZE = 4;
  parcelable In {
    int b;
  }
  enum Mode {
    ON,
    OFF,
  }
}
