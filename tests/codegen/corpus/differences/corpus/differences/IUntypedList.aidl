package corpus.differences;

interface IUntypedList { void f(in List a, int b); }
