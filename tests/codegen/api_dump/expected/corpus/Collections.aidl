package corpus;
parcelable Collections {
  List<String> a;
  List<corpus.Plain> b;
  List<IBinder> c;
  List<ParcelFileDescriptor> d;
  Map<String,corpus.Plain> e;
  Map<String,IBinder> f;
  Map<String,String> g;
  List<corpus.IEmpty> h;
  List<corpus.inner.Deep.In> i;
  List<corpus.Choice> j;
}
