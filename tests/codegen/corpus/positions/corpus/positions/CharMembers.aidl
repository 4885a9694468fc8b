package corpus.positions;

/** Char as what a union can be. */
union CharMembers {
    char plain = '~';
    char[] many;
    @nullable char[] maybe_many;
    char[2] two;
}
