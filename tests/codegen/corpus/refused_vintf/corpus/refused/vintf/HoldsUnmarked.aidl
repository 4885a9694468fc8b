package corpus.refused.vintf;

@VintfStability parcelable HoldsUnmarked { corpus.refused.vintf.NotMarked a; }
