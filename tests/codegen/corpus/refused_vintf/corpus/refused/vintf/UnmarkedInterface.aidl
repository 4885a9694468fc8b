package corpus.refused.vintf;

interface UnmarkedInterface { void f(); }
