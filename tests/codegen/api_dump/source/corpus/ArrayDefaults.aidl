package corpus;

import corpus.Byte;
import corpus.Numbered;

parcelable ArrayDefaults {
    int[] a = {}; int[] b = {1, 2}; int[] c = {1, 1 + 1, -1,}; int[2] d = {3, 4}; int[2][2] e = {{1, 2}, {3, 1 + 3}};
    String[] f = {"a", "b" + "c"}; Byte[] g = {Byte.A, corpus.Byte.C}; byte[] h = {1, -2, 0xffu8}; char[] i = {'a'};
    boolean[] j = {true, 1 > 0}; float[] k = {1.0f, -2f}; double[] l = {}; int[] m = {K, Numbered.ONE}; const int K = 9;
}
