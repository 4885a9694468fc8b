package corpus;

import corpus.IEmpty;
import corpus.Opaque;
import corpus.OpaqueHeaders;

parcelable Holders { ParcelableHolder a; ParcelFileDescriptor b; IBinder c; IEmpty d; Opaque e; OpaqueHeaders f; }
