package corpus.names;

enum True { A, B }
