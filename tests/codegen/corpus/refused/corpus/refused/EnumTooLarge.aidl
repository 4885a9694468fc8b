package corpus.refused;

enum EnumTooLarge { A = 127, B }
