package corpus;
@JavaDerive(equals=true, toString=true) @RustDerive(Clone=true, PartialEq=true)
union UnionEnum {
  corpus.Numbered a = corpus.Numbered.TWO;
  int b;
}
