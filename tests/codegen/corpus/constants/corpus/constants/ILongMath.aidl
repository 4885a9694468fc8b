package corpus.constants;

interface ILongMath {
    const long DAY = 24L * 60 * 60 * 1000;
    const long NEGATIVE = -DAY;
    const long REST = DAY % 7;
    const long HALF = DAY / 2;
    const long BITS = ~DAY;
    const long MIXED = 2147483647L * 2 + 1;
    const long COMPARED = DAY > 5;
}
