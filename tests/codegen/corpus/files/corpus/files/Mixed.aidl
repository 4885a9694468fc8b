package corpus.files;

parcelable Mixed {
    int size;
    ParcelFileDescriptor data;
    @nullable ParcelFileDescriptor fence;
    FileDescriptor raw;
    long offset;
}
