package corpus.annotations;

@JavaDerive
@RustDerive
parcelable DeriveNothing { int a; }
