package corpus.interfaces;

interface IConstantsOnly {
    const int ONE = 1;
    const String NAME = "constants";
    const long BIG = 1L << 40;
    const byte SMALL = -1;
    const float HALF = 0.5f;
    const double THIRD = 0.3333;
}
