package corpus.refused;

@VintfStability parcelable VintfWithoutOption { int a; }
