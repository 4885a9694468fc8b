package corpus.refused.structured;

interface UntypedList { void f(in List a); }
