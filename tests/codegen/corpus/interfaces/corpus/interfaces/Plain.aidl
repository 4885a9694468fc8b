package corpus.interfaces;

/** The I in front is a habit, not a rule: the stub is BnPlain all the same. */
interface Plain {
    void f();
}
