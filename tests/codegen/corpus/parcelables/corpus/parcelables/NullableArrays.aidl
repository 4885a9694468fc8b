package corpus.parcelables;

parcelable NullableArrays {
    @nullable boolean[] z;
    @nullable byte[] b;
    @nullable char[] c;
    @nullable int[] i;
    @nullable long[] l;
    @nullable float[] f;
    @nullable double[] d;
    @nullable String[] s;
}
