package corpus.refused;

@FixedSize union FixedSizeUnion { int a; String b; }
