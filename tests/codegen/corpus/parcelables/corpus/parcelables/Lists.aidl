package corpus.parcelables;

import corpus.parcelables.Empty;
import corpus.parcelables.ICallback;

parcelable Lists {
    List<String> a;
    List<Empty> b;
    List<IBinder> c;
    List<ParcelFileDescriptor> d;
    List<ICallback> e;
    @nullable List<String> f;
    @nullable List<Empty> g;
    @utf8InCpp List<String> h;
}
