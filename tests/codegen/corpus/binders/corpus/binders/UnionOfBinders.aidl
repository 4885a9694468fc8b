package corpus.binders;

union UnionOfBinders { @nullable IBinder a; IBinder b; corpus.binders.IInterfaces c; IBinder[] d; }
