package corpus.refused;

@Backing enum BackingOfNothing { A }
