package corpus.refused.vintf;

enum UnmarkedEnum { A }
