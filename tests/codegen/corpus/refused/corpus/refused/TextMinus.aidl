package corpus.refused;

interface TextMinus { const String A = "a" - "b"; }
