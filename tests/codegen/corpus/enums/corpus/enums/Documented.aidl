package corpus.enums;

/**
 * Says what each is for.
 */
enum Documented {
    /** The first. */
    FIRST,
    /** The second, no longer used. @deprecated use FIRST */
    SECOND,
    // not documentation
    THIRD,
    FOURTH, // nor this
}
