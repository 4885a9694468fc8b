package corpus.annotations;

@SuppressWarnings({})
parcelable Suppress {
    @SuppressWarnings({"const-name",}) const int lower = 1;
    @SuppressWarnings(value={"file-descriptor"}) FileDescriptor a;
}
