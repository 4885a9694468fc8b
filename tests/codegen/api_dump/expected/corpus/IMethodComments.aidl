package corpus;
interface IMethodComments {
  void a();
  /* @hide */
  void b();
  /**
   * @deprecated use a
   */
  oneway void c();
  /* @hide */
  oneway void d();
  /**
   * @deprecated x
   */
  @nullable String e();
  /* @hide */
  @JavaPassthrough(annotation="@x") void f(int x, in int y);
  /**
   * @hide
   * @deprecated z
   */
  int g(int x);
  /* @hide */
  int h();
  void i();
  /* @hide */
  void j();
}
