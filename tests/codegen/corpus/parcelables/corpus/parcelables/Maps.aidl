package corpus.parcelables;

import corpus.parcelables.Empty;
import corpus.parcelables.ICallback;

parcelable Maps {
    Map<String, String> a;
    Map<String, Empty> b;
    Map<String, IBinder> c;
    Map<String, ParcelFileDescriptor> d;
    Map<String, ICallback> e;
    @nullable Map<String, String> f;
}
