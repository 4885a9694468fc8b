package corpus.refused;

interface ByteTooLarge { const byte A = 128; }
