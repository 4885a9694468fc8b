package corpus;

import corpus.Numbered;
import corpus.inner.Deep;

interface IConstantsInt {
    const int DECIMAL = 12;
    const int UNDERSCORES = 1_000_000;
    const int HEX = 0xFF;
    const int HEX_NEGATIVE = 0xFFFFFFFF;
    const int ZEROS = 010;
    const int NEGATIVE = -1;
    const int PLUS = +1;
    const int TWICE = - -1;
    const int SPACED = -  7;
    const int TRUE = true;
    const int COMPARED = 3 > 2;
    const int SUM = 1 + 2 + 3;
    const int GROUPED = 1 - (2 - 3);
    const int LEFT = 1 - 2 - 3;
    const int MIXED = 1 + 2 * 3 % 4 / 5;
    const int BITS = 1 << 3 | 0xF & 7 ^ 1;
    const int LOGIC = 1 == 1 && 2 >= 1 || 0 != 1;
    const int NOT = !!1;
    const int TILDE = ~0;
    const int IN_PARENTHESES = ((5));
    const int SUFFIXED = 5u32;
    const int SHIFT = 256 >> 4;
    const int REFERENCE = DECIMAL;
    const int OTHER = Numbered.TEN + HEX;
    const int SELF = IConstantsInt.DECIMAL;
    const int FAR = corpus.inner.Deep.SIZE * 2;
    const int NEAR = Deep.Mode.OFF;
}
