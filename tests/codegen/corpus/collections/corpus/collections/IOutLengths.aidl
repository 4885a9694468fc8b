package corpus.collections;

/** A caller says how long an array is to be, but not a list, nor what has a fixed size. */
interface IOutLengths {
    void a(out int[] x);
    void b(out int[3] x);
    void c(out List<String> x);
    void d(out @nullable String[] x, int after);
    int e(out byte[] x, out long[] y, out String[] z);
    void f(int before, out IBinder[] x, out ParcelFileDescriptor[] y, int after);
    void g(inout int[] x, out int[] y, in int[] z);
    void h(out corpus.collections.Item[] x, out corpus.collections.Item y);
    void i(out boolean[] a, out char[] b, out float[] c, out double[] d);
}
