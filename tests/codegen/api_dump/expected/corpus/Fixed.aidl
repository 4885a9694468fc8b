package corpus;
@FixedSize @RustDerive(PartialEq=true)
parcelable Fixed {
  int a;
  float[3] b;
  corpus.Byte c = corpus.Byte.B;
  corpus.FixedUnion d;
}
