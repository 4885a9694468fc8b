package corpus.imports;

import corpus.imports.A;
import corpus.imports.other.deep.D;

interface IShared {
    A a(in D d);
    corpus.imports.other.A b(in corpus.imports.A x);
}
