package corpus;
interface INest {
  void f(in corpus.INest.P p, corpus.INest other);
  corpus.INest.P h();
  const int K = corpus.INest.E.A /* 0 */;
  /**
   * @deprecated no
   */
  parcelable P {
    int a;
  }
  enum E {
    A,
  }
  interface ICallback {
    oneway void g(in corpus.INest.P p);
    /* @hide */
    oneway void h();
  }
  union U {
    corpus.INest.P p;
    corpus.INest.E e;
  }
}
