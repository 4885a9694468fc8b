package corpus.generics;

parcelable OfArrays {
    corpus.generics.Box<String[]> a;
    corpus.generics.Pair<String, String[]> b;
}
