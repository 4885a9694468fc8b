package corpus.collections;

interface IMapValues {
    Map<String, long[]> a(in Map<String, long[]> x, out Map<String, String[]> y, inout Map<String, byte[]> z);
    Map<String, List<String>> b(in Map<String, List<String>> x, out Map<String, List<corpus.collections.Item>> y);
    oneway void c(in Map<String, corpus.collections.Kind[]> x, in Map<String, IMapValues> y);
}
