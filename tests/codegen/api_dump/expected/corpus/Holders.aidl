package corpus;
parcelable Holders {
  ParcelableHolder a;
  ParcelFileDescriptor b;
  IBinder c;
  corpus.IEmpty d;
  corpus.Opaque e;
  corpus.OpaqueHeaders f;
}
