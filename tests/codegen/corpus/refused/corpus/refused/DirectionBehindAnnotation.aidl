package corpus.refused;

interface DirectionBehindAnnotation { void f(@nullable in String a); }
