package corpus.binders;

oneway interface IOnewayCallbacks {
    void a(IBinder token, corpus.binders.IInterfaces callback);
    void b(in IBinder[] tokens, in corpus.binders.IInterfaces[] callbacks);
}
