package corpus.unions;

union StringFirst { String a = "first" + "!"; int b; }
