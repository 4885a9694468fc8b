package corpus.refused.vintf;

@VintfStability interface TakesUnmarked { void f(in corpus.refused.vintf.NotMarked a); }
