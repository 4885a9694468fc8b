package corpus.interfaces;

interface IOutNullable {
    parcelable P { int x; }
    void f(out @nullable P a, inout @nullable P b);
    @nullable P g(in @nullable P[] a);
}
