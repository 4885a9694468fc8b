package corpus.interfaces;

/** `in` may be written where it is the only direction there can be. */
interface IDirectionWords {
    void f(in int a, in String b, in boolean c, in IBinder d);
    void g(int a, String b, boolean c, IBinder d);
    void h(in ParcelFileDescriptor a, inout ParcelFileDescriptor b);
}
