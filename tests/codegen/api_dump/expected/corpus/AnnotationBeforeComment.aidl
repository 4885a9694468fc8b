package corpus;
/* @hide */
@JavaOnlyImmutable
parcelable AnnotationBeforeComment {
}
