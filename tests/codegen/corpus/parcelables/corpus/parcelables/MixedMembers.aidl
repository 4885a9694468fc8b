package corpus.parcelables;

parcelable MixedMembers {
    const int A = 1;
    int a = A;
    enum E { X = 1, Y }
    E e = E.Y;
    const int B = A + E.Y;
    int b = B;
    parcelable P { int p = MixedMembers.B; }
    P p;
    interface IN { void f(in P p); const int Q = 5; }
    int q = IN.Q;
    union U { int x = MixedMembers.A; P p; }
    U u;
    U.Tag tag = U.Tag.p;
}
