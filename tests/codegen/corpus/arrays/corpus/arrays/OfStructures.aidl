package corpus.arrays;

parcelable OfStructures {
    parcelable S { int x = 5; String y = "d"; }
    union U { int a = 3; String b; }
    S[2] a;
    S[2][2] b;
    U[2] c;
    @nullable S[2] d;
    S[] e;
    U[] f;
    @nullable U[] g;
}
