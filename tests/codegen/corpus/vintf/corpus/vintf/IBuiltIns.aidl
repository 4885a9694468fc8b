package corpus.vintf;

@VintfStability
interface IBuiltIns {
    void f(in ParcelFileDescriptor a, IBinder b, in List<String> c, in Map<String, String> d, in int[2] e);
}
