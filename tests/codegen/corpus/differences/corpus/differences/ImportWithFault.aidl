package corpus.differences;

/** A fault in a file that is only imported. */
parcelable ImportWithFault { corpus.used.Faulty a; }
