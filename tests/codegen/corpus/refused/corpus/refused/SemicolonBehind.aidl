package corpus.refused;

parcelable SemicolonBehind { int a; };
