package corpus.refused;

oneway interface OnewayOut { void f(out int[] a); }
