package corpus.enums;

@Backing(type="long")
enum LongHex {
    A = 0xffffffff,
    B = 0xffffffffL,
    C = 0x8000000000000000,
    D = 0xffffffffffffffff,
}
