package corpus;

import corpus.inner.Deep;
import corpus.Plain;
import corpus.Byte;
import corpus.Choice;
import corpus.IEmpty;

parcelable Arrays {
    int[] a; int[3] b; int[2][3] c; int[Deep.SIZE] d; int[1 + 1] e; int[0x4] f; String[] g; Plain[] h; Byte[] i; Byte[4] j;
    Choice[2] k; IBinder[] l; ParcelFileDescriptor[] m; IEmpty[] n; boolean[] o; char[] p; byte[] q; Deep.In[] r;
}
