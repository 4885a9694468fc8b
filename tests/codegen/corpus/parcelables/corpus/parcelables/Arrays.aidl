package corpus.parcelables;

parcelable Arrays {
    boolean[] z;
    byte[] b;
    char[] c;
    int[] i;
    long[] l;
    float[] f;
    double[] d;
    String[] s;
}
