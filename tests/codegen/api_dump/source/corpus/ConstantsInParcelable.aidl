package corpus;

parcelable ConstantsInParcelable {
    const int FIRST = 1;
    int a = FIRST;
    const int SECOND = FIRST + 1;
    int b = SECOND;
}
