package corpus.imports;

import corpus.imports.A;

parcelable B {
    List<A> back;
    int x;
}
