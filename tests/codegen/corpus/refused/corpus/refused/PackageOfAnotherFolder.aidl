package corpus.elsewhere;
parcelable PackageOfAnotherFolder { int a; }
