package corpus;
parcelable Arrays {
  int[] a;
  int[3] b;
  int[2][3] c;
  int[4] d;
  int[2] e;
  int[4] f;
  String[] g;
  corpus.Plain[] h;
  corpus.Byte[] i;
  corpus.Byte[4] j;
  corpus.Choice[2] k;
  IBinder[] l;
  ParcelFileDescriptor[] m;
  corpus.IEmpty[] n;
  boolean[] o;
  char[] p;
  byte[] q;
  corpus.inner.Deep.In[] r;
}
