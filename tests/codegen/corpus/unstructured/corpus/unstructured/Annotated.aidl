package corpus.unstructured;

@JavaOnlyStableParcelable
parcelable Annotated;
