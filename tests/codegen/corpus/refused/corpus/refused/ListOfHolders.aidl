package corpus.refused;

parcelable ListOfHolders { List<ParcelableHolder> a; }
