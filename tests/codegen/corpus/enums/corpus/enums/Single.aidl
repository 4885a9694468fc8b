package corpus.enums;

enum Single { ONLY }
