package corpus;

import corpus.Byte;
import corpus.FixedUnion;

@RustDerive(PartialEq=true) @FixedSize
parcelable Fixed { int a; float[3] b; Byte c = Byte.B; FixedUnion d; }
