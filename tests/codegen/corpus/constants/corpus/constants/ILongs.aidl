package corpus.constants;

interface ILongs {
    const long ZERO = 0;
    const long MAX = 9223372036854775807;
    const long MIN = 0x8000000000000000;
    const long MIN2 = -9223372036854775807 - 1;
    const long SUFFIX = 5L;
    const long SMALL_SUFFIX = 5l;
    const long HEX32 = 0xFFFFFFFF;
    const long HEX32L = 0xFFFFFFFFL;
    const long SUM = 2147483647L + 1;
    const long FROM_INT = 7;
}
