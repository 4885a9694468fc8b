package corpus.names;

interface IUsesNone { corpus.names.None f(in @nullable corpus.names.None a); }
