package corpus.interfaces;

/** Only an I with a capital behind it is taken off for the stub's name. */
interface Ioo {
    void f();
}
