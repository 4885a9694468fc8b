package corpus;
parcelable Nullable {
  @nullable String a;
  @nullable corpus.Plain b;
  @nullable int[] c;
  @nullable IBinder d;
  @nullable ParcelFileDescriptor e;
  @nullable corpus.IEmpty f;
  @nullable List<String> g;
  @nullable corpus.Plain[] h;
  @nullable(heap=true) corpus.Nullable i;
  @nullable(heap=false) corpus.Plain j;
  @nullable String[] k;
  @nullable int[3] l;
  @nullable Map<String,corpus.Plain> m;
}
