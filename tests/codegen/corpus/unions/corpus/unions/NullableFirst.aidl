package corpus.unions;

union NullableFirst { @nullable String a; int b; }
