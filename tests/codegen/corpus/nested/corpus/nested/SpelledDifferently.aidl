package corpus.nested;

parcelable SpelledDifferently {
    parcelable A { parcelable B { int x; } B b; A.B c; SpelledDifferently.A.B d; }
    A a;
    A.B b;
    SpelledDifferently.A.B c;
    corpus.nested.SpelledDifferently.A.B d;
}
