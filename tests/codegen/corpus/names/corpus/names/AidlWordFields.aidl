package corpus.names;

parcelable AidlWordFields { int cpp_header = 1; int ndk_header; int rust_type; int nullable; int value; int Tag; }
