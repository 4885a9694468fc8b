package corpus;

/**
 * Words.
 * @deprecated There is Plain.
 * @hide
 */
@JavaOnlyImmutable
parcelable DeprecatedType {}
