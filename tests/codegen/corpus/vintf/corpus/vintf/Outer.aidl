package corpus.vintf;

/** What is inside is as stable as what is around it. */
@VintfStability
parcelable Outer {
    parcelable Inner { int x; ParcelableHolder holder; }
    enum E { A }
    union U { int a; Inner b; }
    interface IInner { void f(in Inner a); }
    Inner inner;
    E e = E.A;
    U u;
    @nullable IInner i;
}
