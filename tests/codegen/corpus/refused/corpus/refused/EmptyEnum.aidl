package corpus.refused;

enum EmptyEnum { }
