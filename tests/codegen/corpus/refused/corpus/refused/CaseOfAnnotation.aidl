package corpus.refused;

parcelable CaseOfAnnotation { @Nullable String a; }
