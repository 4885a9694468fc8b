package corpus;
enum EnumBooleans {
  A = true,
  B = (1 == 2) /* 0 */,
  C = (!0) /* 1 */,
}
