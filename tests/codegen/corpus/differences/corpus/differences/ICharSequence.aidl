package corpus.differences;

interface ICharSequence { CharSequence f(in CharSequence a); }
