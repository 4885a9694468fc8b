package corpus.nested;

/** An interface that is used as a bag of types. */
interface IOnlyTypes {
    parcelable A { int x; }
    union B { int x; String y; }
    enum C { X }
    interface ID { void f(in A a, in B b, C c); }
}
