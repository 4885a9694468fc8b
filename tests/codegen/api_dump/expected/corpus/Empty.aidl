package corpus;
parcelable Empty {
}
