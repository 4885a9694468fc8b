package corpus.refused;

parcelable OuterConstantUnqualified { const int K = 1; parcelable P { int a = K; } P p; }
