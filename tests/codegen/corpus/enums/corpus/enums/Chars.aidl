package corpus.enums;

/** Letters are not numbers, but numbers can be those of letters. */
enum Chars { A = 65, B, SPACE = 32 }
