package corpus.enums;

@Backing(type="int")
enum UnusedBits { READ = 1 << 0, WRITE = 1 << 1, BOTH = READ | WRITE, ALL = 0xffffffff }
