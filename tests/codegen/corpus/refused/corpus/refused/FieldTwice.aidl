package corpus.refused;

parcelable FieldTwice { int a; String a; }
