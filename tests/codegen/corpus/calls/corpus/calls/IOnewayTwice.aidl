package corpus.calls;

/** Said of the interface, and again of one of its methods. */
oneway interface IOnewayTwice {
    oneway void a();
    void b();
}
