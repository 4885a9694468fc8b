package corpus;
/* @hide */
@JavaDerive(toString=true)
parcelable Keywords {
}
