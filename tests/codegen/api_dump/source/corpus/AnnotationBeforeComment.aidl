package corpus;

@JavaOnlyImmutable /** @hide */ parcelable AnnotationBeforeComment {}
