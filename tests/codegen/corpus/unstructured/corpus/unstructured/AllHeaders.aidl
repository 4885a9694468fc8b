package corpus.unstructured;

parcelable AllHeaders cpp_header "a.h" ndk_header "b.h" rust_type "c::D";
