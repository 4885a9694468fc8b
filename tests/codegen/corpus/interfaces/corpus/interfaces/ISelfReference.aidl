package corpus.interfaces;

/** An interface that hands out more of itself. */
interface ISelfReference {
    ISelfReference child(int index);
    @nullable ISelfReference parent();
    ISelfReference[] children();
    void adopt(ISelfReference child);
}
