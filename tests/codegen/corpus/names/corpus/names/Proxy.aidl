package corpus.names;

interface Proxy { corpus.names.Parcel f(in corpus.names.Parcel a); }
