package stable;

import stable.StableData;

@VintfStability
interface IStable { void a(in StableData d); @nullable IStable b(); const int VERSION = 1; }
