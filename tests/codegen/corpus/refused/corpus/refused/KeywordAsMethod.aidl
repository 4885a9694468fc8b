package corpus.refused;

interface KeywordAsMethod { void oneway(); }
