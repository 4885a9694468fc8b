package corpus.refused;

interface NullableVoid { @nullable void f(); }
