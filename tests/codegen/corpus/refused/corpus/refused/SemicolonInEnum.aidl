package corpus.refused;

enum SemicolonInEnum { A; B }
