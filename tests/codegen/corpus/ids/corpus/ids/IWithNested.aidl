package corpus.ids;

interface IWithNested {
    void a(IInner inner) = 100;
    interface IInner {
        void a() = 7;
        void b() = 3;
    }
    void b() = 50;
}
