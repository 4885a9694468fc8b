package corpus.nested;

import corpus.nested.Depths;

/** A nested type hides an imported one of the same name. */
parcelable SameNameAsImported {
    parcelable Depths { int mine; }
    Depths near;
    corpus.nested.Depths far;
}
