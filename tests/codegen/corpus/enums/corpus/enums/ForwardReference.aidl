package corpus.enums;

/** A value may name one that comes later. */
enum ForwardReference { A = C, B, C = 7 }
