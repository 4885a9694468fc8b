package corpus.annotations;

parcelable Order {
    @nullable @utf8InCpp String a;
    @utf8InCpp @nullable String b;
    @JavaPassthrough(annotation="@x.A") @nullable @utf8InCpp List<String> c;
    @nullable @JavaPassthrough(annotation="@x.B") int[] d;
}
