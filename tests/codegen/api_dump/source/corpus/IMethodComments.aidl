package corpus;

interface IMethodComments {
    /** Words. @return nothing */ void a();
    /** @hide */ void b();
    /** @deprecated use a */ oneway void c();
    oneway /** @hide */ void d();
    @nullable /** @deprecated x */ String e();
    /** @hide */ @JavaPassthrough(annotation="@x") void f(/** @hide */ int x, in /** @hide */ int y);
    /**
     * @param x y
     * @deprecated z
     * @hide
     */
    int g(int x);
    /** @hide */
    // and a line
    int h();
    void i(); /** @hide */ void j();
}
