package corpus.names;

enum OpenEnum { A }
