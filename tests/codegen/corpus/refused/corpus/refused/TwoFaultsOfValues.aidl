package corpus.refused;

parcelable TwoFaultsOfValues { int a = "x"; byte b = 1000; }
