package corpus.files;

parcelable FixedNullableFiles { @nullable ParcelFileDescriptor[2] a; @nullable ParcelFileDescriptor[2][2] b; }
