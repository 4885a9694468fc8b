package corpus.enums;

@Backing(type="byte")
enum MaxThenAlias { A = 126, B, C = 0 }
