package corpus.holders;

parcelable Plain { ParcelableHolder ext; }
