package corpus.parcelables;

/** Fixed and variable sizes take turns. */
parcelable Alternating {
    int a; String b; long c; byte[] d; byte e; int[] f; boolean g; String[] h; double i; IBinder j; char k;
}
