package corpus.refused;
