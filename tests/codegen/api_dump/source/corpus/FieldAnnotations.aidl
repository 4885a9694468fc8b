package corpus;

parcelable FieldAnnotations {
    @JavaPassthrough(annotation="@b") @JavaPassthrough(annotation="@a") int a;
    @UnsupportedAppUsage(trackingBug=5L, maxTargetSdk=28) @nullable String b;
    @JavaSuppressLint({"NewApi", "Other"}) int c;
    @nullable @JavaPassthrough(annotation="@a" + "(1)") @utf8InCpp String d;
    @SuppressWarnings({"redundant-name"}) int e;
    @UnsupportedAppUsage int f;
}
