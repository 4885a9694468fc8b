package corpus.annotations;

interface IUnsupported {
    @UnsupportedAppUsage void a();
    @UnsupportedAppUsage(maxTargetSdk=30, trackingBug=170729553) void b();
    @UnsupportedAppUsage(expectedSignature="a", implicitMember="b", publicAlternatives="c" + "d") void c();
}
