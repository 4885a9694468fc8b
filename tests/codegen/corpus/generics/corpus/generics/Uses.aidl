package corpus.generics;

import corpus.generics.Box;
import corpus.generics.Pair;

parcelable Uses {
    Box<String> a;
    Pair<String, Box<String>> b;
    @nullable Box<IBinder> c;
    corpus.generics.Triple<String, String, String> d;
    List<Box<String>> e;
    Box<Box<Box<String>>> f;
    Map<String, Pair<String, String>> g;
    Pair<List<String>,Map<String,String>> h;
}
