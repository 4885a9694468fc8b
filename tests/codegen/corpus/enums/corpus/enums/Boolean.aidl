package corpus.enums;

@Backing(type="int")
enum Boolean { OFF = false, ON = true, SUM = true + true }
