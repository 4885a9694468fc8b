package corpus.unions;

union NestedUnion {
    union Inner {
        union Innermost { int x = 1; String y; }
        Innermost a;
        int b;
    }
    int first = 0;
    Inner inner;
    Inner.Innermost innermost;
    Inner.Tag which;
    parcelable P { Inner inner; }
    P p;
}
