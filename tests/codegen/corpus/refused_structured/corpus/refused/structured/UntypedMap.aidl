package corpus.refused.structured;

parcelable UntypedMap { Map a; }
