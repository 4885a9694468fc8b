package corpus.refused;

interface UnclosedParenthesis { const int A = (1; }
