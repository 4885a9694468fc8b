package corpus;

@UnsupportedAppUsage(maxTargetSdk=28)
@SuppressWarnings({"redundant-name"})
@RustDerive(Ord=true, PartialOrd=true, Eq=true, PartialEq=true, Clone=false)
@JavaSuppressLint({"a"})
@JavaPassthrough(annotation="@z")
@JavaPassthrough(annotation="@a" + "b")
@JavaDerive(toString=true, equals=false)
@JavaOnlyImmutable
parcelable Annotated { int a; }
