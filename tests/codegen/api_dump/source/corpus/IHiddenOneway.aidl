package corpus;

/** @hide */ oneway interface IHiddenOneway { void a(); }
