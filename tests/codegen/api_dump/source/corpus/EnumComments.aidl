package corpus;

/** Not kept. */
enum EnumComments {
    /** Not kept. */ A,
    /** @hide */ B,
    /**
     * Old.
     * @deprecated use A
     */
    C,
    /* @hide */ D,
    // @hide
    E,
}
