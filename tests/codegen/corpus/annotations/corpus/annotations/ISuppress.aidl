package corpus.annotations;

@SuppressWarnings(value={"const-name", "mixed-oneway"})
interface ISuppress {
    @SuppressWarnings({"const-name"}) const int a = 1;
    @SuppressWarnings({"out-array"}) void f(out int[] x);
    oneway void g();
}
