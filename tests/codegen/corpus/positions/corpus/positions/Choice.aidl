package corpus.positions;

union Choice { int x = 1; String y; }
