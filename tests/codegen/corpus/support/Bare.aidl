/** A type without a package. */
parcelable Bare { int a; }
