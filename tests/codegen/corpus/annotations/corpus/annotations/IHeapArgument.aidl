package corpus.annotations;

/** Where a value is kept is nothing that an argument says, but it may. */
interface IHeapArgument {
    parcelable P { int x; }
    void f(in @nullable(heap=true) P a);
}
