package corpus.ids;

interface IExplicit {
    void a() = 5;
    void b() = 2;
    void c() = 9;
}
