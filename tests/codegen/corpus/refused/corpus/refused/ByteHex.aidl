package corpus.refused;

interface ByteHex { const byte A = 0xff; }
