package corpus.imports.other;

import corpus.imports.IShared;

parcelable C {
    @nullable IShared shared;
    corpus.imports.Bag.Kind kind = corpus.imports.Bag.Kind.TWO;
}
