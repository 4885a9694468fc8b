package corpus.holders;

parcelable Several { ParcelableHolder a; ParcelableHolder b; String c; ParcelableHolder d; }
