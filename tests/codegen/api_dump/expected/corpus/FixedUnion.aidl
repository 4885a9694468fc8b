package corpus;
@FixedSize @RustDerive(PartialEq=true)
union FixedUnion {
  int a;
  byte[16] b;
}
