package corpus.vintf;

@VintfStability
interface IStable {
    corpus.vintf.Stable get(in corpus.vintf.Choice a);
    void set(corpus.vintf.Kind kind, @nullable IStable other);
    oneway void tell(in corpus.vintf.Stable[] all);
}
