package corpus.differences;

@RustDerive(PartialEq=1)
parcelable RustBoolean { int a; }
