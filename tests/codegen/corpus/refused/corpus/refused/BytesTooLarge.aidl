package corpus.refused;

parcelable BytesTooLarge { byte[] a = {1, 200}; }
