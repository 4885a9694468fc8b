package corpus.interfaces;

/** Names of methods, parameters and constants are worlds of their own. */
interface ISameNames {
    const int same = 1;
    int same(int same);
}
