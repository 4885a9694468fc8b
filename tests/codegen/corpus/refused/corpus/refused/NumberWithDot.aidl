package corpus.refused;

interface NumberWithDot { const double A = 1.; }
