package corpus;
interface IStacked {
  /* @hide */
  @JavaPassthrough(annotation="// @x /*") void a(String s);
  void b();
  /**
   * @deprecated 
   */
  oneway void c();
  const String TRICKY = "/* @hide */ // no comment";
}
