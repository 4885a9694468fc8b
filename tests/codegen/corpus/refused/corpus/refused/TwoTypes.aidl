package corpus.refused;

parcelable TwoTypes { int a; }
parcelable Second { int b; }
