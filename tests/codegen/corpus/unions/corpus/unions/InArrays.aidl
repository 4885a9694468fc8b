package corpus.unions;

parcelable InArrays {
    corpus.unions.Plain[] a;
    corpus.unions.Plain[2] b;
    @nullable corpus.unions.Plain[] c;
    List<corpus.unions.Plain> d;
    Map<String, corpus.unions.Plain> e;
    @nullable corpus.unions.Plain f;
}
