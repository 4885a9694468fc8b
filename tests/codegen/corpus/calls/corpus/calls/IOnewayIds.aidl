package corpus.calls;

oneway interface IOnewayIds {
    void a() = 10;
    void b() = 0;
    void c() = 5;
}
