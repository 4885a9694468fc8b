package corpus.refused;

interface NoParentheses { void f; }
