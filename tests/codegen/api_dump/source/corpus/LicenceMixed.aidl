// One.
/* two */ /* three */
  /** four */
package corpus;

import corpus.Plain;

/** Not above the package. */
parcelable LicenceMixed { @nullable Plain a; }
