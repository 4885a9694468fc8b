package corpus;

import corpus.Plain;
import corpus.Byte;

interface IDirections { void a(int x, in int y); void b(in Plain p, out Plain q, inout Plain r); void c(String s, in String t); void d(Byte e, in Byte f); void e(in @nullable Plain p, inout @nullable int[] q); }
