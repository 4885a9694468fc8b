package corpus.refused;

parcelable MapFromBinder { Map<IBinder, String> a; }
