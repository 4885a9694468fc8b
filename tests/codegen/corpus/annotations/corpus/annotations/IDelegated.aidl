package corpus.annotations;

@JavaDefault
@JavaDelegator
interface IDelegated {
    void f(int a);
    String g(in int[] b);
}
