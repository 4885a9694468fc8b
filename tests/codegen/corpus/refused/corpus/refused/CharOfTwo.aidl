package corpus.refused;

parcelable CharOfTwo { char a = 'ab'; }
