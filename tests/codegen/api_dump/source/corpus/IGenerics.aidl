package corpus;

import corpus.Pair;
import corpus.Plain;
import corpus.Byte;

interface IGenerics { void a(in Pair<Plain, Byte> p); Pair<String, IBinder> b(); void c(in Pair<corpus.inner.Deep.In, Plain> p); }
