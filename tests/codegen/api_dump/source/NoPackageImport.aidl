/* kept */
import corpus.Plain;
parcelable NoPackageImport { Plain b; }
