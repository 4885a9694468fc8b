package corpus;
parcelable MultipleOnALine {
  int a;
  int b = 1;
  String c = "x,y;{}";
  int d = 2;
}
