package corpus;
parcelable DefaultsReferences {
  corpus.Numbered a = corpus.Numbered.TWO;
  corpus.Numbered b = corpus.Numbered.ALSO_TEN;
  corpus.Byte c;
  int d = corpus.Numbered.TEN /* 10 */;
  long e = corpus.inner.Deep.SIZE /* 4 */;
  corpus.inner.Deep.Mode f = corpus.inner.Deep.Mode.OFF;
  int g = (corpus.inner.Deep.SIZE + K) /* 11 */;
  int h = K /* 7 */;
  int i = corpus.DefaultsReferences.K /* 7 */;
  String j = S /* "s" */;
  boolean k = (corpus.inner.Deep.SIZE == 4) /* true */;
  corpus.Choice.Tag l = corpus.Choice.Tag.text;
  const int K = 7;
  const String S = "s";
}
