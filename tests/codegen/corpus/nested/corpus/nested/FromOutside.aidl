package corpus.nested;

import corpus.nested.Depths;
import corpus.nested.IOnlyTypes;
import corpus.nested.Depths.IA;
import corpus.nested.IOnlyTypes.A;

parcelable FromOutside {
    Depths.IA.B a;
    IA.B.C b;
    A c;
    @nullable IOnlyTypes.ID d;
    IOnlyTypes.B.Tag e;
    corpus.nested.IOnlyTypes.C f = corpus.nested.IOnlyTypes.C.X;
}
