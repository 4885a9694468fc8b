package corpus;
parcelable FieldAnnotations {
  @JavaPassthrough(annotation="@a") @JavaPassthrough(annotation="@b") int a;
  @UnsupportedAppUsage(maxTargetSdk=28, trackingBug=5) @nullable String b;
  @JavaSuppressLint(value={"NewApi", "Other"}) int c;
  @JavaPassthrough(annotation="@a(1)") @nullable @utf8InCpp String d;
  @SuppressWarnings(value={"redundant-name"}) int e;
  @UnsupportedAppUsage int f;
}
