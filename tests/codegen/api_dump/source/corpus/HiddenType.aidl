package corpus;

/** Words.
 * @hide */
parcelable HiddenType {}
