package corpus.refused;

parcelable AnnotationTwice { @nullable @nullable String a; }
