package corpus.differences;

parcelable CharArray { char[] a = {'x', 'y'}; }
