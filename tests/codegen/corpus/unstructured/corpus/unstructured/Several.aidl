package corpus.unstructured;

parcelable Several;
parcelable Several.Inner;
parcelable Several.Other;
