package corpus.differences;

import Bare;

/** Uses a type that has no package. */
parcelable NoPackage { Bare a; }
