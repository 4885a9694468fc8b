package corpus;

union Choice {
    int number;
    String text;
}
