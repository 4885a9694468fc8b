package corpus;

parcelable Empty {}
