package corpus;
parcelable Defaults {
  boolean a = true;
  boolean b = (1 > 2) /* false */;
  boolean c = (!true) /* false */;
  byte d = (-3) /* -3 */;
  byte e = 0xffu8;
  char f = 'x';
  char g = ' ';
  int h = (1 + 1) /* 2 */;
  int i = 3;
  int j = 0x10;
  long k = 5;
  long l = (-5L) /* -5 */;
  long m = (1L << 33) /* 8589934592 */;
  float n = 1f;
  float o = (-1.5f) /* -1.500000f */;
  double p = 2.0;
  double q = (-2.5) /* -2.500000 */;
  String r = "hi";
  String s = "";
  String t = ("a" + "b") /* "ab" */;
  int u = true;
}
