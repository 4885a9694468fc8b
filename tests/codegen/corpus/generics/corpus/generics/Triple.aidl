package corpus.generics;

parcelable Triple<A, B, C> { }
