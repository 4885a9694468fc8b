// One.
// Two.
package corpus;
parcelable TrailingSpace {
  int a;
  /**
   * @deprecated x y
   */
  int b;
}
