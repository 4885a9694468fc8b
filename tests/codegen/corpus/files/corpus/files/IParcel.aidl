package corpus.files;

interface IParcel {
    ParcelFileDescriptor a(in ParcelFileDescriptor x);
    @nullable ParcelFileDescriptor b(in @nullable ParcelFileDescriptor x);
    ParcelFileDescriptor[] c(in ParcelFileDescriptor[] x, out ParcelFileDescriptor[] y,
            inout ParcelFileDescriptor[] z);
    List<ParcelFileDescriptor> d(in List<ParcelFileDescriptor> x);
    ParcelFileDescriptor[2] e(in ParcelFileDescriptor[2] x, out ParcelFileDescriptor[2] y);
    oneway void f(in ParcelFileDescriptor x, in @nullable ParcelFileDescriptor[] y);
}
