package corpus.enums;

@Backing(type="long")
enum LongBacked {
    LOWEST = -9223372036854775807L - 1L,
    ZERO = 0,
    NEXT,
    BIT_40 = 1L << 40,
    HIGHEST = 0x7fffffffffffffffL,
}
