package corpus.unions;

union EnumFirst {
    enum Kind { A = 4, B }
    Kind kind = Kind.B;
    int number;
}
