package corpus.ids;

/** What was at 1 is gone; nobody else's code moves. */
interface IGap {
    int a(int x) = 0;
    int c(int x) = 2;
}
