package corpus.enums;

enum QualifiedSelf {
    A = 3,
    B = QualifiedSelf.A + 1,
    C = corpus.enums.QualifiedSelf.B + 1,
}
