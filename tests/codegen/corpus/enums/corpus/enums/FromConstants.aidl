package corpus.enums;

@Backing(type="int")
enum FromConstants {
    A = corpus.enums.Limits.LOW,
    B,
    C = corpus.enums.Limits.HIGH - 1,
}
