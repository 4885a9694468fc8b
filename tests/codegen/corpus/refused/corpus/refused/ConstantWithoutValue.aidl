package corpus.refused;

interface ConstantWithoutValue { const int A; }
