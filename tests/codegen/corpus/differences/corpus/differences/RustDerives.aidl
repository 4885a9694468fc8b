package corpus.differences;

@RustDerive(Clone=true)
parcelable RustDerives {
    parcelable Plain { int x; }
    Plain a;
}
