package corpus.calls;

interface IOnewayAnnotated {
    @SuppressWarnings({"mixed-oneway"}) oneway void before(int a);
    oneway @JavaPassthrough(annotation="@x.Late") void after(int a);
}
