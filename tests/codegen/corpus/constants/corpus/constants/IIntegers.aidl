package corpus.constants;

interface IIntegers {
    const int ZERO = 0;
    const int MINUS = -1;
    const int MAX = 2147483647;
    const int MIN = -2147483648;
    const int HEX = 0x7fffffff;
    const int HEX_MIN = 0x80000000;
    const int HEX_MINUS = 0xFFFFFFFF;
    const int LEADING_ZERO = 010;
    const int NOT_OCTAL = 09;
    const int PLUS = +5;
    const int PLUS_MINUS = +-+-5;
}
