package corpus.positions;

@Backing(type="int")
enum Middle { ONE = 1, TWO = 1 << 20 }
