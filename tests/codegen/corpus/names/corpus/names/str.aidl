package corpus.names;

parcelable str { String a = "x"; int[] int_; }
