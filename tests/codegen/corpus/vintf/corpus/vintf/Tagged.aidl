package corpus.vintf;

@VintfStability
parcelable Tagged { corpus.vintf.Choice.Tag tag = corpus.vintf.Choice.Tag.b; }
