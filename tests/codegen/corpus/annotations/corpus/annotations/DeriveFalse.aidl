package corpus.annotations;

@JavaDerive(toString=false, equals=false)
@RustDerive(Clone=false)
parcelable DeriveFalse { int a; }
