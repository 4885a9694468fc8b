package corpus.nested;

parcelable UsedBeforeDeclared {
    Later later;
    Kind kind = Kind.B;
    int[SIZE] sized;
    parcelable Later { int x; }
    enum Kind { A, B }
    const int SIZE = 3;
}
