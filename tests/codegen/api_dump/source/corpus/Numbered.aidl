package corpus;

@Backing(type="int")
enum Numbered { ONE = 1, TWO, TEN = 0x0A, ALSO_TEN = 10, }
