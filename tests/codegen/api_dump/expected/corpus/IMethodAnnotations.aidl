package corpus;
interface IMethodAnnotations {
  @EnforcePermission(value="ONE") void a();
  @EnforcePermission(value="ONE") void b();
  @EnforcePermission(allOf={"B", "A"}) void c();
  @EnforcePermission(anyOf={"A", "B"}) @PropagateAllowBlocking IBinder d();
  @PermissionManuallyEnforced void e();
  @RequiresNoPermission void f();
  @SuppressWarnings(value={"out-array", "mixed-oneway"}) void g(out int[] x);
  @UnsupportedAppUsage(expectedSignature="x()V", implicitMember="m", maxTargetSdk=28, publicAlternatives="none", trackingBug=12) @nullable String h();
  @nullable @utf8InCpp String i(@nullable @utf8InCpp String x, in @JavaPassthrough(annotation="@x") @nullable corpus.Plain y);
  @JavaPassthrough(annotation="@a") @JavaPassthrough(annotation="@z") @nullable corpus.Plain j();
  @nullable List<String> k(in @nullable List<String> a, in @utf8InCpp List<String> b);
}
