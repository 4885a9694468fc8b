package corpus;

interface INest {
    /** @deprecated no */ parcelable P { int a; }
    void f(in P p, INest other);
    enum E { A }
    const int K = E.A;
    oneway interface ICallback { void g(in P p); /** @hide */ void h(); }
    INest.P h();
    union U { P p; E e; }
}
