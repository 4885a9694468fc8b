package corpus.refused;

parcelable JavaType { Integer a; }
