package corpus.ids;

/** A leading zero means nothing: this is nine and ten. */
interface ILeadingZero {
    void a() = 09;
    void b() = 010;
}
