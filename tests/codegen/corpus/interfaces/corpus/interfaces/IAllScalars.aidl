package corpus.interfaces;

/** One method per scalar: what goes in comes back. */
interface IAllScalars {
    boolean echoBoolean(boolean value);
    byte echoByte(byte value);
    char echoChar(char value);
    int echoInt(int value);
    long echoLong(long value);
    float echoFloat(float value);
    double echoDouble(double value);
    String echoString(String value);
}
