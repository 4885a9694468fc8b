package corpus.refused;

parcelable TwoFaultsOfSyntax {
    int a
    int b;
    String 1c;
}
