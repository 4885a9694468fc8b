package corpus;

@Backing(type="long") @JavaDerive(toString=true)
enum EnumLong { A = 1L << 40, B, C = -1 }
