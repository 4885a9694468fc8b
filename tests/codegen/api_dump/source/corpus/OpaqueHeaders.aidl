package corpus;

@JavaOnlyStableParcelable @NdkOnlyStableParcelable @RustOnlyStableParcelable
parcelable OpaqueHeaders cpp_header "a/b.h" ndk_header "c/d.h" rust_type "e::F";
