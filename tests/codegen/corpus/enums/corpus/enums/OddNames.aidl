package corpus.enums;

/** Names that mean something elsewhere. */
enum OddNames {
    None, True, name, value, mro, self, _, __, _A, a1, cls, from, lambda, def,
}
