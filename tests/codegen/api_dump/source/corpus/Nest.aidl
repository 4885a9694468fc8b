package corpus;

parcelable Nest {
    In a; In.Inner b; Nest.Kind c = Kind.TWO; Either d; @nullable ICall e;
    parcelable In { Inner a; @nullable(heap=true) Nest b; parcelable Inner { Kind c; int d = K; const int K = 1; } }
    enum Kind { ONE, TWO }
    @FixedSize union Either { int a; Kind b = Kind.TWO; }
    interface ICall { In f(in Either e, Kind k); }
    const int K = In.Inner.K + Kind.TWO;
    /** @hide */
    @Backing(type="long") enum Big { X = 1 }
}
