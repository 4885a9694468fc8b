package corpus;

interface IConstantsOther {
    const byte B = 127;
    const byte B_PATTERN = 0xFFu8;
    const byte B_SUM = 1 + 1;
    const long L = 5;
    const long L_SUFFIX = 5L;
    const long L_SMALL = 5l;
    const long L_BIG = 0x7FFFFFFFFFFFFFFF;
    const long L_SUM = 1 + 1L;
    const long L_MIN = -9223372036854775807L - 1;
    const long L_U = 5u64;
    const float F = 1.0f;
    const float F_SHORT = 2f;
    const float F_NEGATIVE = -0.1f;
    const float F_PLUS = +1.5f;
    const float F_SMALL = -1e-7f;
    const float F_ROUNDED = -11000000000f;
    const double D = 1.50;
    const double D_POINT = .5;
    const double D_EXPONENT = 1e10;
    const double D_NEGATIVE = -1.23456789;
    const double D_BIG = -1e20;
    const double D_ZERO = -0.0;
    const String S = "text";
    const String S_EMPTY = "";
    const String S_SUM = "a" + "b" + "c";
    const String S_REFERENCE = S;
    const String S_BOTH = IConstantsOther.S + "!";
}
