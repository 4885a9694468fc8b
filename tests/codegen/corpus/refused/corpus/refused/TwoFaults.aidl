package corpus.refused;

/** Both are to be reported. */
parcelable TwoFaults {
    Unknown a;
    int ok;
    Missing b;
}
