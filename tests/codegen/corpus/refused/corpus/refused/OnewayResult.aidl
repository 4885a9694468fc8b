package corpus.refused;

interface OnewayResult { oneway int f(); }
