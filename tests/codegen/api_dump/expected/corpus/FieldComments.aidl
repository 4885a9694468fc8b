package corpus;
parcelable FieldComments {
  int a;
  /* @hide */
  int b;
  /* @hide */
  int c;
  /* @hide */
  int d;
  /* @hide */
  int e;
  int f;
  int g;
  /**
   * @deprecated 
   */
  int h;
  /**
   * @deprecated because it goes on   here and here
   */
  int i;
  /**
   * @hide
   * @deprecated one
   */
  int j;
  int k;
  /**
   * @deprecated {@link x} and {@code y}
   */
  int l;
  /* @hide */
  int m;
  /* @hide */
  int n;
  /* @hide */
  @nullable String o;
  int p;
  /* @hide */
  int q;
  /**
   * @deprecated : colon
   */
  int r;
  /**
   * @deprecated a
   */
  int s;
  int t;
  /**
   * @deprecated plain
   */
  int u;
  int v;
}
