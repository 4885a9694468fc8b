package corpus;
/* @hide */
parcelable HiddenType {
}
