package corpus.enums;

/** Constants that enums elsewhere start from. */
parcelable Limits {
    const int LOW = 10;
    const int HIGH = LOW * 10;
}
