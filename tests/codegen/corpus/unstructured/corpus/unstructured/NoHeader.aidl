package corpus.unstructured;

parcelable NoHeader;
