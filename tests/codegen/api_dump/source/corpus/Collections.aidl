package corpus;

import corpus.Plain;
import corpus.IEmpty;
import corpus.Choice;

parcelable Collections { List<String> a; List<Plain> b; List<IBinder> c; List<ParcelFileDescriptor> d; Map<String, Plain> e; Map<String, IBinder> f; Map<String,String> g; List<IEmpty> h; List<corpus.inner.Deep.In> i; List<Choice> j; }
