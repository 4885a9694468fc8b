package corpus.constants;

interface IAnnotated {
    @JavaPassthrough(annotation="@x.Y(v=@x.Z(1))") const int A = 1;
    @SuppressWarnings({"const-name"}) const int lower = 2;
    const @nullable String NOTHING = "not null all the same";
}
