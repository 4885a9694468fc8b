package corpus.parcelables;

import corpus.parcelables.Empty;
import corpus.parcelables.Scalars;
import corpus.parcelables.Tree;

interface IUses {
    Scalars a(in Scalars x, out Scalars y, inout Scalars z);
    Scalars[] b(in Scalars[] x, out Scalars[] y, inout Scalars[] z);
    Scalars[2] c(in Scalars[2] x, out Scalars[2] y, inout Scalars[2] z);
    List<Scalars> d(in List<Scalars> x, out List<Scalars> y, inout List<Scalars> z);
    @nullable Scalars e(in @nullable Scalars x, out @nullable Scalars[] y, inout @nullable Scalars z);
    void f(in Empty a, in Empty b, out Empty c, out Tree d);
}
