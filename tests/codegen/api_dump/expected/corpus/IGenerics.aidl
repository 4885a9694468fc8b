package corpus;
interface IGenerics {
  void a(in corpus.Pair<corpus.Plain,corpus.Byte> p);
  corpus.Pair<String,IBinder> b();
  void c(in corpus.Pair<corpus.inner.Deep.In,corpus.Plain> p);
}
