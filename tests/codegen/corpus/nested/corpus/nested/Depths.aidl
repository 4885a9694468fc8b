package corpus.nested;

parcelable Depths {
    interface IA {
        parcelable B {
            union C {
                enum D { X = 5, Y }
                D d = D.Y;
                int e;
            }
            C c;
            C.D d = C.D.X;
        }
        B.C.D f(in B b, B.C.D d, in B.C c);
        const int K = B.C.D.Y;
    }
    IA.B b;
    @nullable IA a;
    IA.B.C.D d = IA.B.C.D.Y;
    int k = IA.K;
}
