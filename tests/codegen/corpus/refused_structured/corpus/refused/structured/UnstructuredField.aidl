package corpus.refused.structured;

parcelable UnstructuredField { corpus.refused.structured.Unstructured a; }
