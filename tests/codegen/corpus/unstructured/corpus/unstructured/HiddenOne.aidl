package corpus.unstructured;

/** @hide */
@JavaOnlyImmutable
parcelable HiddenOne;
