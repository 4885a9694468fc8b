package corpus.refused;

interface ConstantOfArray { const int[] A = {1}; }
