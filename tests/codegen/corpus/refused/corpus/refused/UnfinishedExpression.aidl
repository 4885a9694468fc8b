package corpus.refused;

interface UnfinishedExpression { const int A = 1 +; }
