package corpus.names;

/** These words have a meaning in AIDL, but are names too. */
interface IAidlWords {
    void f(int cpp_header, int ndk_header, int rust_type);
    void cpp_header();
    void ndk_header();
    void rust_type();
    const int heap = 1;
}
