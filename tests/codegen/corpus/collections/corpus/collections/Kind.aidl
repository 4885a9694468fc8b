package corpus.collections;

@Backing(type="int")
enum Kind { A, B }
