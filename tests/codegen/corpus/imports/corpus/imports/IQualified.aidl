package corpus.imports;

/** Names with their packages need no import. */
interface IQualified {
    corpus.imports.A a(in corpus.imports.B b, corpus.imports.IShared c);
    corpus.imports.Bag.Kind d(in corpus.imports.Bag.Kind[] e);
    const int K = corpus.imports.Bag.Kind.TWO;
}
