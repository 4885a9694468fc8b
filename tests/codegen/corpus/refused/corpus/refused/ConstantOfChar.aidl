package corpus.refused;

interface ConstantOfChar { const char A = 'a'; }
