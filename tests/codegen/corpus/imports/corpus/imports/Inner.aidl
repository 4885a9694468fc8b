package corpus.imports;

import corpus.imports.Inner.Part;

/** Imports what is inside itself. */
parcelable Inner {
    parcelable Part { int x; }
    Part a;
}
