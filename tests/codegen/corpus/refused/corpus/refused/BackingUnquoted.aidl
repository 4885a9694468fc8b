package corpus.refused;

@Backing(type=int) enum BackingUnquoted { A }
