package corpus;
enum EnumComments {
  A,
  /* @hide */
  B,
  /**
   * @deprecated use A
   */
  C,
  /* @hide */
  D,
  E,
}
