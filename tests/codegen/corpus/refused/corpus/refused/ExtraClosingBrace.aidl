package corpus.refused;

parcelable ExtraClosingBrace { int a; } }
