package corpus.unions;

@FixedSize
union FixedSizePlain { int a = 1; long b; byte c; char[2] d; }
