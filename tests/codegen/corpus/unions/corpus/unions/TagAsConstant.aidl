package corpus.unions;

interface TagAsConstant {
    const int A = corpus.unions.Plain.Tag.a;
    const int B = corpus.unions.Plain.Tag.b + 10;
}
