package corpus.unions;

/** The tag of a union of fixed size is a byte. */
parcelable TagOfFixedSize {
    corpus.unions.FixedSizePlain.Tag a = corpus.unions.FixedSizePlain.Tag.b;
    corpus.unions.FixedSizePlain.Tag[] b;
    corpus.unions.FixedSizePlain.Tag[3] c;
    corpus.unions.Plain.Tag d;
    corpus.unions.Plain.Tag[] e;
}
