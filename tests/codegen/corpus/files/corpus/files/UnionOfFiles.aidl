package corpus.files;

union UnionOfFiles { int none = 0; ParcelFileDescriptor file; ParcelFileDescriptor[] files; }
