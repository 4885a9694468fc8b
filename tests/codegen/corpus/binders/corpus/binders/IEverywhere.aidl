package corpus.binders;

interface IEverywhere {
    IBinder a(IBinder x, @nullable IBinder y);
    IBinder[] b(in IBinder[] x, out IBinder[] y, inout IBinder[] z);
    List<IBinder> c(in List<IBinder> x, out List<IBinder> y, inout List<IBinder> z);
    IBinder[3] d(in IBinder[3] x, out IBinder[3] y, inout IBinder[3] z);
    @nullable IBinder[] e(in @nullable IBinder[] x, in @nullable IBinder[2] y);
    Map<String, IBinder> f(in Map<String, IBinder> x);
}
