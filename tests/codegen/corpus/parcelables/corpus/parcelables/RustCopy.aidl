package corpus.parcelables;

@RustDerive(Clone=true, Copy=true, PartialEq=true, Eq=true, Hash=true, Ord=true, PartialOrd=true)
@FixedSize
parcelable RustCopy { int a; long[2] b; }
