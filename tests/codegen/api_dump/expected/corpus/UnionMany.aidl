package corpus;
union UnionMany {
  int a = 5;
  @nullable String b;
  @utf8InCpp String c;
  int[] d;
  List<String> e;
  corpus.Byte f;
  @nullable(heap=true) corpus.Plain g;
  IBinder h;
  /* @hide */
  long i;
  float[3] j;
  @JavaPassthrough(annotation="@x") boolean k;
}
