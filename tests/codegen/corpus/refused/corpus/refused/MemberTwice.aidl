package corpus.refused;

union MemberTwice { int a; long a; }
