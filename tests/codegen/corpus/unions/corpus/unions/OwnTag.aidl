package corpus.unions;

/** A type of its own called Tag is not the implicit one. */
parcelable OwnTag {
    enum Tag { A = 10, B }
    union U { int a; String b; }
    Tag mine = Tag.B;
    U.Tag implicit = U.Tag.b;
}
