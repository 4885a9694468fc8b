package corpus.refused;

interface LongTooLarge { const long A = 9223372036854775808; }
