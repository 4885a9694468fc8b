package corpus.unions;

union Recursive {
    int leaf = 0;
    Recursive[] branches;
    List<Recursive> more;
}
