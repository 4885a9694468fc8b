package corpus.unstructured;

parcelable OtherOrder rust_type "c::D" cpp_header "a.h";
