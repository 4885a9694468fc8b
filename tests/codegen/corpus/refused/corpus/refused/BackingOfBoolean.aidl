package corpus.refused;

@Backing(type="boolean") enum BackingOfBoolean { A }
