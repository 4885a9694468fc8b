package corpus.unions;

union OneMember { boolean only = true; }
