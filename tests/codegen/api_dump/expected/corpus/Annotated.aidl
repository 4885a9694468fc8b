package corpus;
@JavaDerive(equals=false, toString=true) @JavaOnlyImmutable @JavaPassthrough(annotation="@ab") @JavaPassthrough(annotation="@z") @JavaSuppressLint(value={"a"}) @RustDerive(Clone=false, Eq=true, Ord=true, PartialEq=true, PartialOrd=true) @SuppressWarnings(value={"redundant-name"}) @UnsupportedAppUsage(maxTargetSdk=28)
parcelable Annotated {
  int a;
}
