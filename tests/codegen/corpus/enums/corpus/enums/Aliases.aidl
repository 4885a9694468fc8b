package corpus.enums;

/** Two names for one number. */
enum Aliases {
    A = 1,
    B = 1,
    C,
    D = A,
    E = C,
}
