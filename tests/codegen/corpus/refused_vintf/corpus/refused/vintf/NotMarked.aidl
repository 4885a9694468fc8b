package corpus.refused.vintf;

parcelable NotMarked { int a; }
