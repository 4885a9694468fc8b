package corpus.refused;

interface ConstantOfBoolean { const boolean A = true; }
