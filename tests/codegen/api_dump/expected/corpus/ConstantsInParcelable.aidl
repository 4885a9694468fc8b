package corpus;
parcelable ConstantsInParcelable {
  int a = FIRST /* 1 */;
  int b = SECOND /* 2 */;
  const int FIRST = 1;
  const int SECOND = (FIRST + 1) /* 2 */;
}
