package corpus.enums;

enum NoTrailingComma { A, B }
