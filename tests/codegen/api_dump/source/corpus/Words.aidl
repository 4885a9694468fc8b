package corpus;

parcelable Words { int cpp_header; int ndk_header; int rust_type; int package_; int hide; }
