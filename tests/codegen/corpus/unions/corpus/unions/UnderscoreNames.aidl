package corpus.unions;

union UnderscoreNames { int _a; int a_; int __b; int b2; String aB; String camelCase; String UPPER; }
