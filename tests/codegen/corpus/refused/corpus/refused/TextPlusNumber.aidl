package corpus.refused;

interface TextPlusNumber { const String A = "a" + 1; }
