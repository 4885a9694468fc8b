package corpus.refused;

interface NoReturnType { f(); }
