package corpus.differences;

parcelable Several;
parcelable Several.Inner;
