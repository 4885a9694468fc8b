package corpus.interfaces;

/** Codes count methods only, wherever constants and types stand between them. */
interface IMembersInAnyOrder {
    void first();
    const int A = 1;
    void second();
    enum E { X }
    void third();
    const int B = A + 1;
    parcelable P { E e = E.X; }
    void fourth(in P p);
}
