package corpus.enums;

/** Counting goes on from the last value, whatever it was. */
enum Continues {
    A = 5,
    B,
    C = -3,
    D,
    E,
    F,
    G = 5,
    H,
}
