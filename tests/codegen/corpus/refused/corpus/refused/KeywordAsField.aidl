package corpus.refused;

parcelable KeywordAsField { int interface; }
