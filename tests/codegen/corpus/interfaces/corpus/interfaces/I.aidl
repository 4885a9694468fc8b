package corpus.interfaces;

/** The shortest name of all. */
interface I {
    void f();
}
