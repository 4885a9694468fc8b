package corpus.annotations;

@JavaPassthrough(annotation="@x.T")
parcelable Passthrough {
    @JavaPassthrough(annotation="@x.F") int a;
    @JavaPassthrough(annotation="@x.G") @nullable String b;
    @JavaPassthrough(annotation="@x." + "H") int[] c;
}
