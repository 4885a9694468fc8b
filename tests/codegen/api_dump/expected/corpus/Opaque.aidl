package corpus;
@JavaOnlyStableParcelable
parcelable Opaque;
