package corpus;
union UnionText {
  String s = ("a" + "b") /* "ab" */;
  int d;
}
