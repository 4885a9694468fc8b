package corpus.annotations;

@JavaPassthrough(annotation="@x.Y(v=@x.Z(1))")
@JavaPassthrough(annotation="@x.Second")
interface IPassthrough {
    @JavaPassthrough(annotation="@x.M") void f(@JavaPassthrough(annotation="@x.P") int a);
    @JavaPassthrough(annotation="@x.K") const int K = 1;
}
