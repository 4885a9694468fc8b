package stable;

import stable.StableMode;

@VintfStability union StableUnion { int a; StableMode b; }
