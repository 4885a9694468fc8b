package corpus;
/**
 * @hide
 * @deprecated There is Plain.
 */
@JavaOnlyImmutable
parcelable DeprecatedType {
}
