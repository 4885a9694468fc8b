package corpus.refused;

interface TwoFaultsOfMethods { oneway int f(); void g(out String x); }
