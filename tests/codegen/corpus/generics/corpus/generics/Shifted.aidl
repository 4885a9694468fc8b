package corpus.generics;

/** `>>` closes two lists here, and shifts there. */
parcelable Shifted {
    List<corpus.generics.Box<String>> a;
    corpus.generics.Box<corpus.generics.Box<corpus.generics.Box<String>>> b;
    int c = 16 >> 2;
}
