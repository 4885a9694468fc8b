package corpus.refused;

interface FloatSum { const float A = 1.5f + 1.5f; }
