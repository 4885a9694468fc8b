package corpus.parcelables;

parcelable Holders {
    ParcelableHolder extension;
    int between;
    ParcelableHolder second;
}
