package corpus.enums;

enum Plain {
    A,
    B,
    C,
}
