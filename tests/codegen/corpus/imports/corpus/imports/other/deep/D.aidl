package corpus.imports.other.deep;

import corpus.imports.Bag.Kind;
import corpus.imports.other.C;

parcelable D {
    Kind kind = Kind.ONE;
    C[] cs;
}
