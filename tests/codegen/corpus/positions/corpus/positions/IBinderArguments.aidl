package corpus.positions;

/** Binder in every position and direction that an argument has. */
interface IBinderArguments {
    IBinder plain(IBinder a);
    @nullable IBinder maybe(@nullable IBinder a);
    IBinder[] many(in IBinder[] a, out IBinder[] b, inout IBinder[] c);
    @nullable IBinder[] maybeMany(in @nullable IBinder[] a, out @nullable IBinder[] b, inout @nullable IBinder[] c);
    IBinder[2] two(in IBinder[2] a, out IBinder[2] b, inout IBinder[2] c);
    IBinder[2][3] grid(in IBinder[2][3] a, out IBinder[2][3] b, inout IBinder[2][3] c);
    List<IBinder> list(in List<IBinder> a, out List<IBinder> b, inout List<IBinder> c);
    Map<String, IBinder> map(in Map<String, IBinder> a);
    oneway void tell(IBinder a, in IBinder[] b, in IBinder[1] c);
}
