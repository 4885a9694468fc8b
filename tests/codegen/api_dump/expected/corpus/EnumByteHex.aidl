package corpus;
enum EnumByteHex {
  A = 0x7F,
  B = 0x80u8,
  C = (-128) /* -128 */,
}
