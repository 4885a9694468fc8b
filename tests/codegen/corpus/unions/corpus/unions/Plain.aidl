package corpus.unions;

union Plain {
    int a = 7;
    String b;
}
