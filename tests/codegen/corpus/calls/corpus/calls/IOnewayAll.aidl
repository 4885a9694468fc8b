package corpus.calls;

/** No call waits for another. */
oneway interface IOnewayAll {
    void a();
    void b(int x);
    void c(in String[] xs, IBinder token);
}
