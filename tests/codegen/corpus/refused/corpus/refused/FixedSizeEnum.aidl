package corpus.refused;

@FixedSize enum FixedSizeEnum { A }
