package corpus.imports;

import corpus.imports.A;
import corpus.imports.other.A;

/** The first of two imports of one name counts. */
parcelable FirstWins {
    A first;
    corpus.imports.other.A second;
}
