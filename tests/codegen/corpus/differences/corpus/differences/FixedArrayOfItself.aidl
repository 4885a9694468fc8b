package corpus.differences;

parcelable FixedArrayOfItself { FixedArrayOfItself[2] a; }
