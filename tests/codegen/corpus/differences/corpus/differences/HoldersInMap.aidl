package corpus.differences;

parcelable HoldersInMap { Map<String, ParcelableHolder> a; }
