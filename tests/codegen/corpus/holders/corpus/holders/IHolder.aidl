package corpus.holders;

interface IHolder { corpus.holders.Plain f(in corpus.holders.Plain a, out corpus.holders.Nested b); }
