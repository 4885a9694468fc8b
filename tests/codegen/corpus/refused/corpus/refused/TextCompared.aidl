package corpus.refused;

interface TextCompared { const int A = "a" == "a"; }
