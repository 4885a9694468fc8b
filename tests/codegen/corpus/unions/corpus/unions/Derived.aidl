package corpus.unions;

@JavaDerive(toString=true, equals=true)
@RustDerive(Clone=true, PartialEq=true)
union Derived { int a = 0; String b; double c; }
