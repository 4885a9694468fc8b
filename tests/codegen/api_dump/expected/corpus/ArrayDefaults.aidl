package corpus;
parcelable ArrayDefaults {
  int[] a = {};
  int[] b = {1, 2};
  int[] c = {1, (1 + 1) /* 2 */, (-1) /* -1 */};
  int[2] d = {3, 4};
  int[2][2] e = {{1, 2}, {3, (1 + 3) /* 4 */}};
  String[] f = {"a", ("b" + "c") /* "bc" */};
  corpus.Byte[] g = {corpus.Byte.A, corpus.Byte.C};
  byte[] h = {1, (-2) /* -2 */, 0xffu8};
  char[] i = {'a'};
  boolean[] j = {true, (1 > 0) /* true */};
  float[] k = {1.0f, (-2f) /* -2.000000f */};
  double[] l = {};
  int[] m = {K /* 9 */, corpus.Numbered.ONE /* 1 */};
  const int K = 9;
}
