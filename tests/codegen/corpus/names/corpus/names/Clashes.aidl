package corpus.names;

/** Constants, members and nested types may all be called the same. */
parcelable Clashes {
    parcelable a { int a; const int a = 1; }
    enum b { b }
    union c { int c; const int c = 2; String d; }
    const int a = 1;
    a a;
    b b = b.b;
    c[] c;
    interface d { void d(); parcelable d2 { int x; } void d2(in d2 d2); const int d = 3; const int d2 = 4; }
    @nullable d d;
    const int d_ = 5;
}
