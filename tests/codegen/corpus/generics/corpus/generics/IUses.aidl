package corpus.generics;

import corpus.generics.Box;
import corpus.generics.Pair;

interface IUses {
    Box<String> a(in Box<String> x, out Box<String> y, inout Box<String> z);
    Pair<String, IBinder> b(in Pair<IBinder, String> x);
    List<Pair<String, String>> c(in List<Box<String>> x);
    Map<String, Box<String>> d(in Map<String, Box<String>> x);
}
