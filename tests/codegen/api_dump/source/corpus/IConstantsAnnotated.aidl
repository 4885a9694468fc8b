package corpus;

interface IConstantsAnnotated {
    @SuppressWarnings(value={"const-name"}) const int lower = 1;
    /** @deprecated use lower */ @UnsupportedAppUsage const String S = "x";
    const /** @hide */ int HIDDEN = 2;
    @JavaPassthrough(annotation="@x.Y") const int P = 3;
}
