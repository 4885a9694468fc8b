package corpus;

import corpus.Plain;
import corpus.IEmpty;
import corpus.Byte;

interface IPlainMethods { void a(); int b(int x); String c(String x, in int[] y, out int[] z, inout Plain p); Plain d(in Plain x); Plain[] e(); List<String> f(in List<String> x); IBinder g(IBinder x); IEmpty h(IEmpty x); Byte i(Byte x, in Byte[] y); boolean[] j(in char[] x, out byte[3] y); Map<String, Plain> k(in Map<String, Plain> m); }
