package corpus.nested;

parcelable AnnotatedInner {
    @Backing(type="long") @JavaDerive(toString=true) enum E { A = 1L << 33 }
    @FixedSize @RustDerive(Copy=true, Clone=true) parcelable F { E e = E.A; }
    @JavaDerive(equals=true) union U { int a; F f; }
    F f;
    U u;
}
