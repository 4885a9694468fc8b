package corpus.refused;

parcelable ArrayOfHolders { ParcelableHolder[] a; }
