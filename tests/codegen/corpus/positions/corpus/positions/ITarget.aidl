package corpus.positions;

interface ITarget { void hit(); }
