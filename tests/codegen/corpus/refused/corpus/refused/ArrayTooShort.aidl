package corpus.refused;

parcelable ArrayTooShort { int[2] a = {1}; }
