package corpus.vintf;

@VintfStability
union Choice { int a; String b; corpus.vintf.Fixed c; }
