package corpus.unions;

import corpus.unions.EveryMember;
import corpus.unions.Plain;

interface IThing {
    Plain a(in Plain x, out Plain y, inout Plain z);
    Plain[] b(in Plain[] x, out Plain[] y, inout Plain[] z);
    @nullable Plain c(in @nullable Plain x);
    List<Plain> d(in List<Plain> x);
    Plain.Tag e(Plain.Tag x, in Plain.Tag[] y, out Plain.Tag[] z);
    void f(in EveryMember x);
    Plain[2] g(in Plain[2] x);
}
