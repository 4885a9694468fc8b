package corpus;

interface IStacked {
    /** One. */
    // two
    /* three @hide */
    @JavaPassthrough(annotation="// @x /*") void a(String /* @deprecated */ s /* x */);
    const String TRICKY = "/* @hide */ // no comment"; void b();
    // interface IFoo {
    /** @deprecated
     */ oneway
    void c();
}
