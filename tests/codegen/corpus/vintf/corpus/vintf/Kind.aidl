package corpus.vintf;

@VintfStability
@Backing(type="int")
enum Kind { A, B }
