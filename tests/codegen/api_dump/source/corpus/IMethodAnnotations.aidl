package corpus;

import corpus.Plain;

interface IMethodAnnotations {
    @EnforcePermission("ONE") void a();
    @EnforcePermission(value="ONE") void b();
    @EnforcePermission(allOf={"B", "A"}) void c();
    @EnforcePermission(anyOf={"A", "B"}) @PropagateAllowBlocking IBinder d();
    @PermissionManuallyEnforced void e();
    @RequiresNoPermission void f();
    @SuppressWarnings(value={"out-array", "mixed-oneway"}) void g(out int[] x);
    @UnsupportedAppUsage(expectedSignature="x()V", implicitMember="m", publicAlternatives="none", trackingBug=12, maxTargetSdk=20 + 8) @nullable String h();
    @utf8InCpp @nullable String i(@utf8InCpp @nullable String x, in @JavaPassthrough(annotation="@x") @nullable Plain y);
    @JavaPassthrough(annotation="@z") @JavaPassthrough(annotation="@a") @nullable Plain j();
    @nullable List<String> k(in @nullable List<String> a, in @utf8InCpp List<String> b);
}
