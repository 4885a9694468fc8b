/* kept */
parcelable NoPackageImport {
  corpus.Plain b;
}
