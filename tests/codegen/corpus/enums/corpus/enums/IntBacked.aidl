package corpus.enums;

@Backing(type="int")
enum IntBacked {
    LOWEST = -2147483648,
    MINUS_ONE = -1,
    HIGHEST = 2147483647,
}
