package corpus.refused;

parcelable ArrayTooLong { int[2] a = {1, 2, 3}; }
