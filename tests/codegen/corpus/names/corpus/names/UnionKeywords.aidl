package corpus.names;

union UnionKeywords { int None; int tag; int value; int of; int self; String def; int read_from; int write_to; }
