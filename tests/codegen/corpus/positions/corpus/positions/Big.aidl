package corpus.positions;

@Backing(type="long")
enum Big { ONE = 1, TWO = 1L << 40 }
