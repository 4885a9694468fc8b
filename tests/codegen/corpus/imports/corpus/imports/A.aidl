package corpus.imports;

import corpus.imports.B;
import corpus.imports.other.C;

parcelable A {
    B[] bs;
    C c;
    corpus.imports.other.deep.D d;
}
