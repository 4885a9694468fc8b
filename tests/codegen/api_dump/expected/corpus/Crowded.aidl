package corpus;
/* @hide */
parcelable Crowded {
  /**
   * @deprecated 
   */
  @nullable String a;
  /* @hide */
  const int K = (-1) /* -1 */;
  parcelable In {
  }
  /* @hide */
  enum E {
    A,
    /* @hide */
    B,
  }
}
