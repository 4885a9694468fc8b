package corpus.enums;

@Backing(type="byte")
enum ByteBacked {
    LOWEST = -128,
    ZERO = 0,
    HIGHEST = 127,
}
