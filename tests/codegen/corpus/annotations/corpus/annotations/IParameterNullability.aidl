package corpus.annotations;

interface IParameterNullability {
    void a(@nullable String x, in @nullable String y, @nullable IBinder z);
    void b(in @nullable int[] x, out @nullable int[] y, inout @nullable int[] z);
    void c(in @nullable ParcelFileDescriptor x, in @nullable List<String> y);
    void d(@utf8InCpp String x, in @utf8InCpp @nullable String[] y);
    @nullable @utf8InCpp String e();
    @nullable(heap=false) String f();
}
