package stable;

import stable.StableMode;
import stable.StableUnion;

@JavaDerive(toString=true) @VintfStability
parcelable StableData { StableMode mode = StableMode.SLOW; StableUnion u; parcelable In { int a; } }
