package corpus.parcelables;

/** Says how C++ keeps text; the bytes are the same. */
parcelable Utf8 {
    @utf8InCpp String a;
    @utf8InCpp String[] b;
    @nullable @utf8InCpp String c;
    @utf8InCpp @nullable String[] d;
    @utf8InCpp String[2] e;
    @utf8InCpp String f = "eight";
}
