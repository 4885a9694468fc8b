package corpus;
parcelable Utf8 {
  @utf8InCpp String a;
  @utf8InCpp String b = "x";
  @nullable @utf8InCpp String c;
  @nullable @utf8InCpp String d;
  @utf8InCpp String[] e;
  @utf8InCpp List<String> f;
  @nullable @utf8InCpp List<String> g;
}
