package corpus;
interface IPlainMethods {
  void a();
  int b(int x);
  String c(String x, in int[] y, out int[] z, inout corpus.Plain p);
  corpus.Plain d(in corpus.Plain x);
  corpus.Plain[] e();
  List<String> f(in List<String> x);
  IBinder g(IBinder x);
  corpus.IEmpty h(corpus.IEmpty x);
  corpus.Byte i(corpus.Byte x, in corpus.Byte[] y);
  boolean[] j(in char[] x, out byte[3] y);
  Map<String,corpus.Plain> k(in Map<String,corpus.Plain> m);
}
