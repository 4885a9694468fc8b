package corpus;
union ConstantsInUnion {
  int a = K /* 3 */;
  int b;
  const int K = 3;
}
