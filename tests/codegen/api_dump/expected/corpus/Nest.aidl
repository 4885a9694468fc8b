package corpus;
parcelable Nest {
  corpus.Nest.In a;
  corpus.Nest.In.Inner b;
  corpus.Nest.Kind c = corpus.Nest.Kind.TWO;
  corpus.Nest.Either d;
  @nullable corpus.Nest.ICall e;
  const int K = (corpus.Nest.In.Inner.K + corpus.Nest.Kind.TWO) /* 2 */;
  parcelable In {
    corpus.Nest.In.Inner a;
    @nullable(heap=true) corpus.Nest b;
    parcelable Inner {
      corpus.Nest.Kind c;
      int d = K /* 1 */;
      const int K = 1;
    }
  }
  enum Kind {
    ONE,
    TWO,
  }
  @FixedSize
  union Either {
    int a;
    corpus.Nest.Kind b = corpus.Nest.Kind.TWO;
  }
  interface ICall {
    corpus.Nest.In f(in corpus.Nest.Either e, corpus.Nest.Kind k);
  }
  /* @hide */
  @Backing(type="long")
  enum Big {
    X = 1,
  }
}
