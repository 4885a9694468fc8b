package corpus;

import corpus.Plain;
import corpus.IEmpty;

parcelable Nullable {
    @nullable String a; @nullable Plain b; @nullable int[] c; @nullable IBinder d; @nullable ParcelFileDescriptor e; @nullable IEmpty f;
    @nullable List<String> g; @nullable Plain[] h; @nullable(heap=true) Nullable i; @nullable(heap=false) Plain j; @nullable String[] k; @nullable int[3] l;
    @nullable Map<String, Plain> m;
}
