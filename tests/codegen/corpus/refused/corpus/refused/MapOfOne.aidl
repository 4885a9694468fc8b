package corpus.refused;

parcelable MapOfOne { Map<String> a; }
