package corpus.refused;

parcelable Utf8MapValue { Map<String, @utf8InCpp IBinder> a; }
