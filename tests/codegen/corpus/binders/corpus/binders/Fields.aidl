package corpus.binders;

parcelable Fields { IBinder a; corpus.binders.IInterfaces b; @nullable IBinder c; int d; IBinder e; }
