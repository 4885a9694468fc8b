package corpus.enums;

import corpus.enums.IntBacked;

enum FromOtherEnum {
    A = IntBacked.MINUS_ONE,
    B,
    C = corpus.enums.ByteBacked.HIGHEST,
}
