package corpus;
@Backing(type="long") @JavaDerive(toString=true)
enum EnumLong {
  A = (1L << 40) /* 1099511627776 */,
  B,
  C = (-1) /* -1 */,
}
