package corpus.parcelables;

import corpus.parcelables.ICallback;

parcelable Binders {
    IBinder a;
    @nullable IBinder b;
    IBinder[] c;
    @nullable IBinder[] d;
    IBinder[2] e;
    List<IBinder> f;
    @nullable List<IBinder> g;
    ICallback h;
    @nullable ICallback i;
    ICallback[] j;
    @nullable ICallback[] k;
    ICallback[2] l;
    List<ICallback> m;
}
