package corpus.constants;

parcelable ArrayDefaults {
    boolean[] z = {true, false, true};
    byte[] b = {1, -1, 0x7f};
    int[] i = {1, 2, };
    int[] none = {};
    long[] l = {1L << 40, -1};
    float[] f = {1.5f, -1.5f};
    double[] d = {1.5, .25};
    String[] s = {"a", "b" + "c", ""};
    int[] computed = {1 + 1, 2 * 3, ~0};
    int[2] fixed = {7, 8};
    int[2][3] matrix = {{1, 2, 3}, {4, 5, 6}};
    @nullable int[] maybe = {1};
}
