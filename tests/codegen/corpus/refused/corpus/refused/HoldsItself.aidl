package corpus.refused;

parcelable HoldsItself { HoldsItself a; }
