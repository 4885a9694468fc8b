package corpus.enums;

@Backing(type="by" + "te")
enum BackingFromExpression { A = (1 + (2 << (1))), B }
