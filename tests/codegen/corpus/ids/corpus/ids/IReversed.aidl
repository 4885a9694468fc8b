package corpus.ids;

interface IReversed {
    void d() = 3;
    void c() = 2;
    void b() = 1;
    void a() = 0;
}
