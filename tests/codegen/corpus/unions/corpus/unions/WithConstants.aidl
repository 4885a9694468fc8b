package corpus.unions;

union WithConstants {
    const int START = 5;
    int a = START;
    const String TEXT = "t";
    String b;
    const int LATER = START * 2;
}
