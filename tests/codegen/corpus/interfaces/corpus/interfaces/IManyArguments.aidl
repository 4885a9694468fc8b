package corpus.interfaces;

interface IManyArguments {
    int sum(int a, long b, boolean c, byte d, char e, float f, double g, String h, in int[] i, IBinder j,
            int k, int l, int m, int n, int o, int p);
    void none();
    String concatenate(String first, String second, in String[] rest);
}
