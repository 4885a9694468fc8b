package corpus.unions;

union EmptyArrayFirst { byte[] a = {}; long b; }
