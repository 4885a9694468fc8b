package corpus.refused;

union EmptyUnion { }
