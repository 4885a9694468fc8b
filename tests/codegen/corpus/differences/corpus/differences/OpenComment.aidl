package corpus.differences;

parcelable OpenComment { int a; } /* and so on
