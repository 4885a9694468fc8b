package corpus.positions;

enum Small { ONE = 1, TWO }
