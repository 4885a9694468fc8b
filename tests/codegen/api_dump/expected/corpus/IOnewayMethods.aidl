package corpus;
interface IOnewayMethods {
  oneway void a();
  void b();
  oneway @JavaPassthrough(annotation="@x") void c(int x);
  oneway @JavaPassthrough(annotation="@y") void d();
}
