package corpus.imports;

import corpus.imports.A;
import corpus.imports.A;
import corpus.imports.ITwice;

/** The same import twice, and one of itself. */
interface ITwice {
    A a(ITwice self);
}
