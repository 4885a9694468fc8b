package corpus;
interface IConstantsAnnotated {
  const @SuppressWarnings(value={"const-name"}) int lower = 1;
  /**
   * @deprecated use lower
   */
  const @UnsupportedAppUsage String S = "x";
  /* @hide */
  const int HIDDEN = 2;
  const @JavaPassthrough(annotation="@x.Y") int P = 3;
}
