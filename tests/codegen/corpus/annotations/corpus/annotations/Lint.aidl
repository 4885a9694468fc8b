package corpus.annotations;

@JavaSuppressLint({"NewApi"})
parcelable Lint {
    @JavaSuppressLint({"A", "B"}) int a;
    @JavaSuppressLint(value={"C"}) String b;
}
