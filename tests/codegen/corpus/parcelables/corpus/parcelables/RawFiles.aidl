package corpus.parcelables;

parcelable RawFiles {
    int before;
    FileDescriptor a;
    int between;
    FileDescriptor b;
}
