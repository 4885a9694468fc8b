package corpus.refused;

parcelable CharOfNone { char a = ''; }
