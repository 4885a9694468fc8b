package corpus;
parcelable Qualified {
  corpus.Plain a;
  corpus.inner.Deep b;
  corpus.inner.Deep.In c;
  corpus.inner.Deep d;
  corpus.inner.Deep.Mode e;
  corpus.Byte f;
}
