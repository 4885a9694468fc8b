package corpus.unstructured;

@RustOnlyStableParcelable
parcelable RustStable rust_type "x::Y";
