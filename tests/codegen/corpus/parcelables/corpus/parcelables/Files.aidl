package corpus.parcelables;

parcelable Files {
    ParcelFileDescriptor a;
    @nullable ParcelFileDescriptor b;
    ParcelFileDescriptor[] c;
    @nullable ParcelFileDescriptor[] d;
    ParcelFileDescriptor[2] e;
    List<ParcelFileDescriptor> f;
    @nullable List<ParcelFileDescriptor> g;
}
