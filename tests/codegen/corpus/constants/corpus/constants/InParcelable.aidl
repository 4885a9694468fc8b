package corpus.constants;

parcelable InParcelable {
    const int SIZE = 4;
    const String NAME = "x" + "y";
    int[SIZE] numbers;
    int[SIZE * 2] twice;
    String name = NAME;
    int size = SIZE;
    int other = InParcelable.SIZE + 1;
}
