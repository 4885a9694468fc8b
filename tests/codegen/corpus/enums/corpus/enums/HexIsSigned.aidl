package corpus.enums;

/** Hexadecimal that fits 32 bits is a pattern of bits. */
@Backing(type="int")
enum HexIsSigned {
    A = 0x7fffffff,
    B = 0x80000000,
    C = 0xffffffff,
    D = 0xFFFF,
}
