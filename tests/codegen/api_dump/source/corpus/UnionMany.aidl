package corpus;

import corpus.Byte;
import corpus.Plain;

union UnionMany { int a = 5; @nullable String b; @utf8InCpp String c; int[] d; List<String> e; Byte f; @nullable(heap=true) Plain g; IBinder h; /** @hide */ long i; float[3] j; @JavaPassthrough(annotation="@x") boolean k; }
