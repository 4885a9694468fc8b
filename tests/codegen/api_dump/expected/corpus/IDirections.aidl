package corpus;
interface IDirections {
  void a(int x, in int y);
  void b(in corpus.Plain p, out corpus.Plain q, inout corpus.Plain r);
  void c(String s, in String t);
  void d(corpus.Byte e, in corpus.Byte f);
  void e(in @nullable corpus.Plain p, inout @nullable int[] q);
}
