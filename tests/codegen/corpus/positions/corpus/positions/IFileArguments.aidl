package corpus.positions;

/** File in every position and direction that an argument has. */
interface IFileArguments {
    ParcelFileDescriptor plain(in ParcelFileDescriptor a);
    @nullable ParcelFileDescriptor maybe(in @nullable ParcelFileDescriptor a);
    ParcelFileDescriptor[] many(in ParcelFileDescriptor[] a, out ParcelFileDescriptor[] b, inout ParcelFileDescriptor[] c);
    @nullable ParcelFileDescriptor[] maybeMany(in @nullable ParcelFileDescriptor[] a, out @nullable ParcelFileDescriptor[] b, inout @nullable ParcelFileDescriptor[] c);
    ParcelFileDescriptor[2] two(in ParcelFileDescriptor[2] a, out ParcelFileDescriptor[2] b, inout ParcelFileDescriptor[2] c);
    ParcelFileDescriptor[2][3] grid(in ParcelFileDescriptor[2][3] a, out ParcelFileDescriptor[2][3] b, inout ParcelFileDescriptor[2][3] c);
    List<ParcelFileDescriptor> list(in List<ParcelFileDescriptor> a, out List<ParcelFileDescriptor> b, inout List<ParcelFileDescriptor> c);
    Map<String, ParcelFileDescriptor> map(in Map<String, ParcelFileDescriptor> a);
    oneway void tell(in ParcelFileDescriptor a, in ParcelFileDescriptor[] b, in ParcelFileDescriptor[1] c);
}
