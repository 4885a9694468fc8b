package corpus.refused;

parcelable FieldAsValue { int a = 1; int b = a; }
