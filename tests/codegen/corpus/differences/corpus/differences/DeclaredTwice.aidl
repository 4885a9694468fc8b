package corpus.differences;

parcelable DeclaredTwice;
parcelable DeclaredTwice;
