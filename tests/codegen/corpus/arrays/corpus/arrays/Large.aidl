package corpus.arrays;

parcelable Large { byte[4096] page; int[100][100] table; }
