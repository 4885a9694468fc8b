package corpus.refused.structured;

parcelable Unstructured;
