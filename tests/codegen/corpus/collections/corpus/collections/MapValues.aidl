package corpus.collections;

/** What a map leads to may be an array, a collection, or annotated. */
parcelable MapValues {
    Map<String, int[]> a;
    Map<String, byte[]> b;
    Map<String, String[]> c;
    Map<String, corpus.collections.Item[]> d;
    Map<String, Map<String, String>> e;
    Map<String, Map<String, List<String>>> f;
    Map<String, @nullable String> g;
    Map<String, @nullable int[]> h;
    Map<String, @utf8InCpp String> i;
    Map<String, @JavaPassthrough(annotation="@x.Y") String> j;
    Map<String, FileDescriptor> k;
    Map<String, int[2]> l;
    Map<String, corpus.collections.Kind[]> m;
    @nullable Map<String, String[]> n;
    Map<String, IBinder[]> o;
}
